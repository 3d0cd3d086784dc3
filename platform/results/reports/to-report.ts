import type { Report, ReportWithBody } from '#contract/reports.ts'
import type { ReportRow } from './store.ts'

/** Leaves out empty fields, as the API requires. */
export const toReport = ({ report, creator, updater }: Omit<ReportRow, 'bodyMarkdown'>): Report => ({
  id: report.id,
  orgId: report.organizationId,
  title: report.title,
  ...(report.description && { description: report.description }),
  createdBy: creator,
  updatedBy: updater,
  createdAt: report.createdAt,
  updatedAt: report.updatedAt,
})

export const toReportWithBody = (row: ReportRow): ReportWithBody => ({
  report: toReport(row),
  ...(row.bodyMarkdown && { bodyMarkdown: row.bodyMarkdown }),
})
