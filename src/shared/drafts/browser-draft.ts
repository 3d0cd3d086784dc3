import type { z } from 'zod'

import { currentOrganizationId } from '#src/api/organization.ts'
import { draftsIn } from './drafts.ts'
import { tabDraftsIn } from './tab-drafts.ts'

/** One person's draft of one item in the current organization, in this browser. */
export function browserDraft<Draft>(schema: z.ZodType<Draft>, { about, actorId }: { about: string; actorId: string }) {
  const drafts = draftsIn(openStorage('localStorage'), schema)
  const key = { organizationId: currentOrganizationId() ?? '', about, actorId }
  return {
    read: () => drafts.read(key),
    write: (draft: Draft) => drafts.write(key, draft),
    remove: () => drafts.remove(key),
  }
}

/** The same for this tab; a new tab starts with the latest draft of any tab. */
export function tabDraft<Draft>(schema: z.ZodType<Draft>, { about, actorId }: { about: string; actorId: string }) {
  const drafts = tabDraftsIn({ tab: openStorage('sessionStorage'), browser: openStorage('localStorage') }, schema)
  const key = { organizationId: currentOrganizationId() ?? '', about, actorId }
  return {
    read: () => drafts.read(key),
    write: (draft: Draft) => drafts.write(key, draft),
    remove: () => drafts.remove(key),
    onlyHere: () => drafts.onlyHere(key),
  }
}

/** If a browser blocks storage, even reading the property throws. */
function openStorage(name: 'localStorage' | 'sessionStorage') {
  try {
    return window[name]
  } catch {
    return undefined
  }
}
