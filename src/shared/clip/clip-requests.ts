import { splitOrganizationPath } from '#contract/organization-path.ts'
import type { Clip } from '#contract/report-blocks/clips.ts'

/** The content to clip, without the time. */
export type ClipRequest = Omit<Clip, 'clippedAt'> & {
  /** True if a report can show the page itself, as a live figure. */
  hasFigure?: boolean
}

export type RequestedClip = ClipRequest & Pick<Clip, 'clippedAt'>

let request: RequestedClip | null = null
const listeners = new Set<() => void>()

function set(next: RequestedClip | null) {
  request = next
  for (const listener of listeners) listener()
}

/** Opens the dialog that asks for a report. The time makes every clip unique. */
export const clipToReport = (clip: ClipRequest) => set({ ...clip, clippedAt: new Date().toISOString() })

/** The clip that is being added, one at a time. */
export const clipRequests = {
  current: () => request,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  dismiss: () => set(null),
}

/** The reader's current URL, complete. */
export const currentPath = () => {
  const { pathname, search, hash } = window.location
  return splitOrganizationPath(pathname).rest + search + hash
}
