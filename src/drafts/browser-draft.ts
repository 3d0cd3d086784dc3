import type { z } from 'zod'

import { currentOrganizationId } from '#src/api/organization.ts'
import { draftsIn } from './drafts.ts'

/** One person's draft of one thing of the organization in use, in this browser. */
export function browserDraft<Draft>(schema: z.ZodType<Draft>, { about, actorId }: { about: string; actorId: string }) {
  const drafts = draftsIn(browserStorage(), schema)
  const key = { organizationId: currentOrganizationId() ?? '', about, actorId }
  return {
    read: () => drafts.read(key),
    write: (draft: Draft) => drafts.write(key, draft),
    remove: () => drafts.remove(key),
  }
}

/** Reading the property alone throws where a browser shuts its storage. */
function browserStorage() {
  try {
    return window.localStorage
  } catch {
    return undefined
  }
}
