import type { VerbInput, ResponseOf } from '#contract/endpoint.ts'
import type { deleteReport as endpoint } from '#contract/reports.ts'
import { audited } from '#platform/people/audit/audited.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import { revokeReportPage } from '#platform/results/publications/revoke-report-page.ts'
import { releaseFilesOfReport } from './file-store.ts'
import { findReport, removeReport, nextEventTime } from './store.ts'

/**
 * DELETE /reports/{reportId}: deletes the report and its links to cited insights, but not the insights. Its public page ends at once. Images
 * and pinned figures that no report shows are deleted a day later: a colleague may be pasting one. Errors: `not_found`.
 */
export async function deleteReport(
  context: Context,
  { reportId }: VerbInput<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const { organization } = context
  const { id, findings } = await audited(context, async (tx, record) => {
    await nextEventTime(tx, organization.id)
    const found = await findReport(tx, { organizationId: organization.id, reportId })
    if (found) {
      await releaseFilesOfReport(tx, found.report.id)
      await revokeReportPage(context, tx, record, found.report)
    }
    const removed = await removeReport(tx, { organizationId: organization.id, reportId })
    if (!removed) throw notFound(`Report "${reportId}" does not exist`)
    return removed
  })
  return { reportId: id, ...(findings > 0 && { findingLinksRemoved: findings }) }
}
