import type { VerbInput } from '#contract/endpoint.ts'
import { canonicalMarkdown } from '#contract/markdown/canonical-markdown.ts'
import type { ReportWithBody, updateReport as endpoint } from '#contract/reports.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { requireReport, requireUnchanged } from './require-report.ts'
import { changeReport, nextEventTime } from './store.ts'
import { notifyWriters } from './notify-writers.ts'
import { toReportWithBody } from './to-report.ts'
import { recordWrite, refuseLongBody } from './write-body.ts'

/**
 * PATCH /reports/{reportId}: changes the fields that are sent; '' clears description and body. Errors:
 * `invalid_argument` if none of the three fields is sent, `not_found`, and 409 if the report changed since
 * `expectedUpdatedAt`.
 */
export async function updateReport(
  { db, organization, caller }: Context,
  input: VerbInput<typeof endpoint>,
): Promise<ReportWithBody> {
  const { reportId, expectedUpdatedAt, title, description } = input
  const bodyMarkdown = input.bodyMarkdown === undefined ? undefined : canonicalMarkdown(input.bodyMarkdown)
  if (title === undefined && description === undefined && bodyMarkdown === undefined) {
    throw invalid('Nothing to change: send `title`, `description` or `bodyMarkdown`')
  }
  refuseLongBody(bodyMarkdown ?? '')
  const key = { organizationId: organization.id, reportId }
  return db.transaction(async (tx) => {
    const updatedAt = await nextEventTime(tx, organization.id)
    const { id, bodyMarkdown: before } = await requireUnchanged(tx, key, expectedUpdatedAt)
    await changeReport(tx, id, {
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description: description || null }),
      ...(bodyMarkdown !== undefined && { bodyMarkdown }),
      updatedBy: caller.recordedUnder,
      updatedAt,
    })
    await recordWrite(tx, id, updatedAt, bodyMarkdown === undefined ? undefined : { before, after: bodyMarkdown })
    const row = await requireReport(tx, key)
    await notifyWriters({ organization, caller }, tx, row)
    return toReportWithBody(row)
  })
}
