import { currentOrganizationId } from '#src/api/organization.ts'
import { type Draft, draftsIn } from './drafts.ts'

/** One person's draft of one report, in this browser. */
export function browserDraft(reportId: string, actorId: string) {
  const drafts = draftsIn(browserStorage())
  const key = { organizationId: currentOrganizationId() ?? '', reportId, actorId }
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
