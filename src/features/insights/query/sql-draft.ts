import { z } from 'zod'

import type { QueryTarget } from '#src/api/queries.ts'
import { tabDraft } from '#src/shared/drafts/browser-draft.ts'

/** SQL that has not been run. */
const SqlDraft = z.object({
  sql: z.string(),
  /** The statement that was in the URL at the same time. */
  base: z.string(),
  /** The position of the part that was run by itself, which is then the base. */
  part: z.object({ line: z.int(), column: z.int() }).optional(),
  at: z.string(),
})
export type SqlDraft = z.infer<typeof SqlDraft>

const draftName = (scope: QueryTarget) =>
  scope.kind === 'organization'
    ? 'organization'
    : scope.kind === 'run'
      ? `run ${scope.runId}`
      : `experiment ${scope.experimentId}`

/** One person's draft for one scope in this tab. */
export const sqlDraft = (scope: QueryTarget, actorId: string) =>
  tabDraft(SqlDraft, { about: `query ${draftName(scope)}`, actorId })

/**
 * A link with SQL shows its own statement. The draft is shown only where it was written and on pages without a
 * statement.
 */
export const isDraftShown = (requested: string, { base }: SqlDraft) => requested === '' || requested === base

/** Moves the draft to another scope, unless that scope has a draft. */
export function moveDraft(
  from: QueryTarget,
  to: QueryTarget,
  { actorId, requested }: { actorId: string; requested: string },
) {
  const [here, there] = [sqlDraft(from, actorId), sqlDraft(to, actorId)]
  const draft = here.read()
  if (draft && isDraftShown(requested, draft) && !there.read() && there.write(draft)) here.remove()
}
