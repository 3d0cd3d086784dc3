import { z } from 'zod'

import type { QueryTarget } from '#src/api/queries.ts'
import { tabDraft } from '#src/drafts/browser-draft.ts'

/** SQL that somebody wrote and has not run. */
const SqlDraft = z.object({
  sql: z.string(),
  /** What the URL asked meanwhile. */
  base: z.string(),
  /** Where in it the part begins that was run by itself, which is then the base. */
  part: z.object({ line: z.int(), column: z.int() }).optional(),
  at: z.string(),
})
export type SqlDraft = z.infer<typeof SqlDraft>

/** What a statement is written over; null is the whole organization. */
export type QueryScope = QueryTarget | null

const nameOf = (scope: QueryScope) =>
  scope === null ? 'organization' : scope.kind === 'run' ? `run ${scope.runId}` : `experiment ${scope.experimentId}`

/** One person's draft over one scope, in this tab. */
export const sqlDraft = (scope: QueryScope, actorId: string) =>
  tabDraft(SqlDraft, { about: `query ${nameOf(scope)}`, actorId })

/** A link that holds SQL shows that; the draft comes up where it was left, and where nothing is asked. */
export const isDraftShown = (requested: string, { base }: SqlDraft) => requested === '' || requested === base

/** What is being written goes along to another scope, unless something waits there. */
export function moveDraft(
  from: QueryScope,
  to: QueryScope,
  { actorId, requested }: { actorId: string; requested: string },
) {
  const [here, there] = [sqlDraft(from, actorId), sqlDraft(to, actorId)]
  const draft = here.read()
  if (draft && isDraftShown(requested, draft) && !there.read() && there.write(draft)) here.remove()
}
