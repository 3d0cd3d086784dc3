import type { ResponseOf, VerbInput } from '#contract/endpoint.ts'
import type { getReportPublication as endpoint } from '#contract/report-publications.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { requireReport } from '#platform/results/reports/require-report.ts'
import { describePublication } from './describe-publication.ts'

/** GET /reports/{reportId}/publication. Errors: `not_found`. */
export async function getReportPublication(
  context: Context,
  { reportId }: VerbInput<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const { report } = await requireReport(context.db, { organizationId: context.organization.id, reportId })
  return describePublication(context, context.db, report)
}
