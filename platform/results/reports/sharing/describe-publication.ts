import type { ReportPublication } from '#contract/report-publications.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { describeReportPage } from '#platform/results/publications/find-published-report.ts'
import { canPublish } from './policy.ts'

type Report = { id: string; createdBy: string; updatedAt: string }

export async function describePublication(
  context: Context,
  db: Database,
  report: Report,
): Promise<{ publication?: ReportPublication; canPublish: boolean }> {
  const publication = await describeReportPage(context, db, report)
  return { ...(publication && { publication }), canPublish: canPublish(context, report) }
}
