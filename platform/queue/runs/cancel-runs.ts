import type { VerbInput } from '#contract/endpoint.ts'
import type { CancelReceipt, cancelRuns as endpoint } from '#contract/runs.ts'
import { isCompositeRunId } from '#contract/wire/run-id.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { cancelInParts } from '#platform/queue/run-queue/end-or-request-cancel.ts'
import { findRunRequest } from '#platform/queue/run-lookup/find-run.ts'
import { countRunsByStatus } from './list-store.ts'
import { toStatusCounts } from './to-run.ts'

/**
 * POST /runs/{id}/cancel: cancels every non-terminal run of a request, or only those with the given UUIDs. Runs that
 * already ended and UUIDs of other requests are ignored, so repeating the call is safe. Errors: `invalid_argument` for
 * a composite id, `not_found` for an unknown request.
 */
export async function cancelRuns(context: Context, { id, runIds }: VerbInput<typeof endpoint>): Promise<CancelReceipt> {
  if (isCompositeRunId(id))
    throw invalid('Cancel takes the id of a run request; to cancel single runs, list their `runUuid`s in `runIds`')
  const { request } = await findRunRequest(context, id)
  const canceledCount = await cancelInParts(context.db, { requestId: request.id, runIds })
  context.wakeRunEngine()
  context.wakeProjector()
  const filter = { organizationId: context.organization.id, runRequestId: request.id }
  const statusCounts = toStatusCounts(await countRunsByStatus(context.db, filter))
  return { runRequestId: request.id, canceledCount, statusCounts }
}
