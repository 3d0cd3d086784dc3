import type { VerbInput } from '#contract/endpoint.ts'
import type { getReport as endpoint, ReportWithBody } from '#contract/reports.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { requireReport } from './require-report.ts'
import { toReportWithBody } from './to-report.ts'

/** GET /reports/{reportId}: returns the report with its whole body. Errors: `not_found`. */
export async function getReport(
  { db, organization }: Context,
  { reportId }: VerbInput<typeof endpoint>,
): Promise<ReportWithBody> {
  return toReportWithBody(await requireReport(db, { organizationId: organization.id, reportId }))
}
