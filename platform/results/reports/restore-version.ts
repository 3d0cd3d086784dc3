import type { VerbInput } from '#contract/endpoint.ts'
import type { restoreReportVersion as endpoint } from '#contract/report-versions.ts'
import type { ReportWithBody } from '#contract/reports.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { requireVersion } from './list-versions.ts'
import { notifyWriters } from './notify-writers.ts'
import { requireReport, requireUnchanged } from './require-report.ts'
import { changeReport, nextEventTime } from './store.ts'
import { toReportWithBody } from './to-report.ts'
import { recordWrite } from './write-body.ts'

/**
 * POST /reports/{reportId}/versions/{versionId}/restore: writes the title, the description and the body of a version as
 * a new version, so the text of before can be restored too. Errors: `not_found`, and 409 if the report changed since
 * `expectedUpdatedAt`.
 */
export async function restoreVersion(
  { db, organization, caller }: Context,
  { reportId, versionId, expectedUpdatedAt }: VerbInput<typeof endpoint>,
): Promise<ReportWithBody> {
  const key = { organizationId: organization.id, reportId }
  return db.transaction(async (tx) => {
    const updatedAt = await nextEventTime(tx, organization.id)
    const { id, bodyMarkdown: before } = await requireUnchanged(tx, key, expectedUpdatedAt)
    const { version, description, bodyMarkdown } = await requireVersion(tx, id, versionId)
    const { title } = version
    await changeReport(tx, id, { title, description, bodyMarkdown, updatedBy: caller.recordedUnder, updatedAt })
    await recordWrite(tx, id, updatedAt, { before, after: bodyMarkdown }, { isOwn: true })
    const row = await requireReport(tx, key)
    await notifyWriters({ organization, caller }, tx, row)
    return toReportWithBody(row)
  })
}
