import { isTerminal } from '#contract/run-status.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { enqueueLabelChanges } from '#platform/analysis/projection/enqueue-label-changes.ts'
import { recordLabels } from '#platform/queue/runs/record-labels.ts'
import { type LockedRun, summarizeLabels } from './store.ts'

/** After a change of a run's labels, in its transaction: what lists, charts and SQL see of them. */
export async function settleLabels(tx: Database, run: LockedRun, labelSlots = run.labelSlots) {
  await recordLabels(tx, run.id, { ...(await summarizeLabels(tx, run.id)), labelSlots })
  // A run that has not ended sends its labels with its end.
  if (isTerminal(run.status)) await enqueueLabelChanges(tx, run.organizationId, [run.id])
}
