import { useEffect, useEffectEvent } from 'react'

type PageAction = { label: string; run: () => void }

let offered: readonly PageAction[] = []
const listeners = new Set<() => void>()

function set(next: readonly PageAction[]) {
  offered = next
  for (const listener of listeners) listener()
}

/** What the buttons of the page can do, in their order; the palette offers the same. */
export const pageActions = {
  current: () => offered,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}

/** Offers in the palette what a button does, for as long as it is there; nothing while there is no label. */
export function usePageAction(label: string | undefined, run: () => void) {
  const runLatest = useEffectEvent(run)
  // The palette is elsewhere in the tree, and loads later.
  useEffect(() => {
    if (label === undefined) return undefined
    const verb = { label, run: () => runLatest() }
    set([...offered, verb])
    return () => set(offered.filter((other) => other !== verb))
  }, [label])
}
