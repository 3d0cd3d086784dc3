import type { VerbInput } from '#contract/endpoint.ts'
import { appendMarkdown, canonicalMarkdown } from '#contract/markdown/canonical-markdown.ts'
import type { appendBlock as endpoint, ReportWithBody } from '#contract/reports.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { requireReport, requireUnchanged } from './require-report.ts'
import { changeReport, nextEventTime } from './store.ts'
import { notifyWriters } from './notify-writers.ts'
import { toReportWithBody } from './to-report.ts'
import { recordWrite, refuseLongBody } from './write-body.ts'

/**
 * POST /reports/{reportId}/blocks: appends markdown to the body after one blank line and leaves the existing body
 * unchanged. Errors: `invalid_argument` for a blank block, `not_found`, and 409 if the report changed since
 * `expectedUpdatedAt`, if sent.
 */
export async function appendBlock(
  { db, organization, caller }: Context,
  { reportId, markdown, expectedUpdatedAt }: VerbInput<typeof endpoint>,
): Promise<ReportWithBody> {
  const block = canonicalMarkdown(markdown)
  if (block === '') throw invalid('`markdown` must not be blank')
  const key = { organizationId: organization.id, reportId }
  return db.transaction(async (tx) => {
    const updatedAt = await nextEventTime(tx, organization.id)
    const report = await requireUnchanged(tx, key, expectedUpdatedAt)
    const bodyMarkdown = appendMarkdown(report.bodyMarkdown, block)
    refuseLongBody(bodyMarkdown)
    await changeReport(tx, report.id, { bodyMarkdown, updatedBy: caller.recordedUnder, updatedAt })
    await recordWrite(tx, report.id, updatedAt, { before: report.bodyMarkdown, after: bodyMarkdown })
    const row = await requireReport(tx, key)
    await notifyWriters({ organization, caller }, tx, row)
    return toReportWithBody(row)
  })
}
