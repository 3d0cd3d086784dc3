import { splitOrganizationPath } from '#contract/organization-path.ts'
import type { Clip } from '#contract/report-blocks/clips.ts'

/** What a page asks to have clipped: all but the moment. */
export type ClipRequest = Omit<Clip, 'clippedAt'>

let request: Clip | null = null
const listeners = new Set<() => void>()

function set(next: Clip | null) {
  request = next
  for (const listener of listeners) listener()
}

/** Asks for the report that something shown goes into. The moment makes the clip one of its own. */
export const clipToReport = (clip: ClipRequest) => set({ ...clip, clippedAt: new Date().toISOString() })

/** The clip that waits for its report, one at a time. */
export const clipRequests = {
  current: () => request,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  dismiss: () => set(null),
}

/** Where the reader is, with everything that the address holds. */
export const currentPath = () => {
  const { pathname, search, hash } = window.location
  return splitOrganizationPath(pathname).rest + search + hash
}
