import { useSyncExternalStore } from 'react'

import { messageOf } from '#contract/wire/message-of.ts'
import { isApiError } from '#src/api/errors.ts'
import { removeLink } from '#src/api/resources.ts'

/** A pending removal. Undo is complete while it waits, because nothing has been sent. */
export type Removal = { state: 'waiting' | 'removing' } | { state: 'failed'; message: string }

/** If the tab closes earlier, the link stays. */
const undoMs = 8_000

let removals: ReadonlyMap<string, Removal> = new Map()
const timers = new Map<string, ReturnType<typeof setTimeout>>()
const listeners = new Set<() => void>()

/** The removals of this tab. They continue while another page is shown. */
export const useRemovals = () => useSyncExternalStore(subscribe, () => removals)

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function set(resourceId: string, removal: Removal | null) {
  const next = new Map(removals)
  if (removal) next.set(resourceId, removal)
  else next.delete(resourceId)
  removals = next
  for (const listener of listeners) listener()
}

export function scheduleRemoval(experimentId: string, resourceId: string) {
  set(resourceId, { state: 'waiting' })
  timers.set(
    resourceId,
    setTimeout(() => void remove(experimentId, resourceId), undoMs),
  )
}

export function undoRemoval(resourceId: string) {
  clearTimeout(timers.get(resourceId))
  set(resourceId, null)
}

async function remove(experimentId: string, resourceId: string) {
  set(resourceId, { state: 'removing' })
  try {
    await removeLink(experimentId, resourceId)
    set(resourceId, null)
  } catch (error) {
    // Someone else already removed it, which is the wanted result.
    if (isApiError(error, 'not_found')) return set(resourceId, null)
    set(resourceId, { state: 'failed', message: messageOf(error) })
  }
}
