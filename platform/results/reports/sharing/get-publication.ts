import type { ResponseOf, VerbInput } from '#contract/endpoint.ts'
import type { getReportPublication as endpoint, ReportPublication } from '#contract/report-publications.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { describeReportPage } from '#platform/results/publications/find-published-report.ts'
import { requireReport } from '#platform/results/reports/require-report.ts'
import { canPublish } from './policy.ts'

/** GET /reports/{reportId}/publication. Errors: `not_found`. */
export async function getReportPublication(
  context: Context,
  { reportId }: VerbInput<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const { report } = await requireReport(context.db, { organizationId: context.organization.id, reportId })
  return describePublishedReport(context, context.db, report)
}

type Report = { id: string; createdBy: string; updatedAt: string }

/** The public page as its members see it, and whether the caller may publish. */
export async function describePublishedReport(
  context: Context,
  db: Database,
  report: Report,
): Promise<{ publication?: ReportPublication; canPublish: boolean }> {
  const publication = await describeReportPage(context, db, report)
  return { ...(publication && { publication }), canPublish: canPublish(context, report) }
}
