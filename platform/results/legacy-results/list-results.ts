import type { VerbInput } from '#contract/endpoint.ts'
import { LegacyResult, type LegacyResultList, type listLegacyResults as endpoint } from '#contract/legacy-results.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { listRuns } from '#platform/queue/runs/list-runs.ts'
import { toResult } from './to-result.ts'

/** GET /results: the ended runs of GET /runs, in the same order and pages. */
export async function listResults(context: Context, input: VerbInput<typeof endpoint>): Promise<LegacyResultList> {
  const { runs, nextPageToken } = await listRuns(context, { ...input, status: LegacyResult.shape.status.options })
  return { results: runs.map(toResult), ...(nextPageToken && { nextPageToken }) }
}
