import type { ResponseOf, VerbInput } from '#contract/endpoint.ts'
import type { listComments as endpoint } from '#contract/report-comments.ts'
import type { SharedContext } from '#platform/ground/context/context.ts'
import { requireReport } from '#platform/results/reports/require-report.ts'
import { findComments, findSuggestions } from './store.ts'
import { toThreads } from './to-thread.ts'

/** GET /reports/{reportId}/comments: all threads, which are few enough for one answer. Errors: `not_found`. */
export async function listComments(
  { db, organization }: SharedContext,
  { reportId }: VerbInput<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const { report } = await requireReport(db, { organizationId: organization.id, reportId })
  return { threads: toThreads(await findComments(db, report.id), await findSuggestions(db, report.id)) }
}
