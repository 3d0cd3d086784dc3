import type { Context } from '#platform/ground/context/context.ts'
import { Failure } from '#platform/ground/failures/failure.ts'
import { addLabel } from '#platform/results/labels/add-label.ts'
import { noteRemovedBlobs } from '#platform/results/retention/forget-removals.ts'
import { deleteEmptyRequests, deleteRuns } from '#platform/queue/run-queue/delete-requests.ts'
import { cancelRunIdsOf } from '#platform/queue/run-queue/end-or-request-cancel.ts'
import { queueRuns } from '#platform/queue/runs/queue-runs.ts'
import { readGroup } from './rerun-groups.ts'
import type { SelectedRun } from './selected-runs-store.ts'
import type { BulkActionRow, RunResult } from './store.ts'

/** What an action does to the runs of one part, in the transaction of `context.db`. */
export function touchRuns(context: Context, action: BulkActionRow, runs: readonly SelectedRun[]): Promise<RunResult[]> {
  switch (action.kind) {
    case 'cancel':
      return cancel(context, runs)
    case 'rerun':
      return rerun(context, runs)
    case 'tag':
      return tag(context, runs, action.newTag ?? '')
    case 'delete':
      return remove(context, runs)
    case 'export':
      throw new Error('an export touches no runs')
  }
}

async function cancel({ db }: Context, runs: readonly SelectedRun[]): Promise<RunResult[]> {
  const results: RunResult[] = []
  for (const [requestId, ofRequest] of Map.groupBy(runs, (run) => run.requestId)) {
    const runIds = ofRequest.map(({ id }) => id)
    const canceled = new Set(await cancelRunIdsOf(db, { requestId, runIds }))
    for (const runId of runIds)
      results.push(
        canceled.has(runId)
          ? { runId, state: 'done' }
          : { runId, state: 'skipped', reason: 'had ended, or was being canceled' },
      )
  }
  return results
}

/** One request for all of them, or none of them. */
async function rerun(context: Context, runs: readonly SelectedRun[]): Promise<RunResult[]> {
  try {
    const newRequestId = await context.db.transaction(async (tx) =>
      queueRuns(context, tx, await readGroup({ ...context, db: tx }, runs)),
    )
    return runs.map(({ id }) => ({ runId: id, state: 'done', newRequestId }))
  } catch (error) {
    const reason = toReason(error)
    return runs.map(({ id }) => ({ runId: id, state: 'failed', reason }))
  }
}

async function tag(context: Context, runs: readonly SelectedRun[], text: string): Promise<RunResult[]> {
  const results: RunResult[] = []
  for (const { id, compositeId } of runs) {
    try {
      await addLabel(context, { id: compositeId, kind: 'tag', text })
      results.push({ runId: id, state: 'done' })
    } catch (error) {
      results.push({ runId: id, state: 'failed', reason: toReason(error) })
    }
  }
  return results
}

async function remove({ db }: Context, runs: readonly SelectedRun[]): Promise<RunResult[]> {
  const imported = runs.filter(({ isImported }) => isImported)
  const blobKeys = await deleteRuns(
    db,
    imported.map(({ id }) => id),
  )
  await noteRemovedBlobs(db, blobKeys)
  await deleteEmptyRequests(db, [...new Set(imported.map(({ requestId }) => requestId))])
  return imported.map(({ id }) => ({ runId: id, state: 'done' }))
}

/** Other errors are faults of the platform: the batch is tried again. */
function toReason(error: unknown) {
  if (error instanceof Failure) return error.message
  throw error
}
