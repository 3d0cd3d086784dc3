import type { z } from 'zod'

import { canonicalMarkdown } from '#contract/markdown/canonical-markdown.ts'
import type { Report, ReportFields, ReportWithBody } from '#contract/reports.ts'
import type { ReportRow } from './store.ts'

/** The columns of the fields that were sent. `''` clears the description or the body, which is stored in canonical form. */
export const toColumns = ({ title, description, bodyMarkdown }: Partial<z.infer<typeof ReportFields>>) => ({
  ...(title !== undefined && { title }),
  ...(description !== undefined && { description: description || null }),
  ...(bodyMarkdown !== undefined && { bodyMarkdown: canonicalMarkdown(bodyMarkdown) }),
})

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
