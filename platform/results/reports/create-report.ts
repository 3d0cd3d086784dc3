import { v7 as newId } from 'uuid'

import type { VerbInput } from '#contract/endpoint.ts'
import { canonicalMarkdown } from '#contract/markdown/canonical-markdown.ts'
import type { createReport as endpoint, ReportWithBody } from '#contract/reports.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { requireReport } from './require-report.ts'
import { addWriter, insertReport, nextEventTime } from './store.ts'
import { toReportWithBody } from './to-report.ts'
import { recordWrite, refuseLongBody } from './write-body.ts'

/** POST /reports: creates a report with its body in canonical form. Errors: `invalid_argument`. */
export async function createReport(
  { db, organization, caller }: Context,
  { title, description, bodyMarkdown = '' }: VerbInput<typeof endpoint>,
): Promise<ReportWithBody> {
  const canonical = canonicalMarkdown(bodyMarkdown)
  refuseLongBody(canonical)
  const id = newId()
  return db.transaction(async (tx) => {
    const now = await nextEventTime(tx, organization.id)
    await insertReport(tx, {
      id,
      organizationId: organization.id,
      title,
      description: description || null,
      bodyMarkdown: canonical,
      createdBy: caller.recordedUnder,
      updatedBy: caller.recordedUnder,
      createdAt: now,
      updatedAt: now,
    })
    await recordWrite(tx, id, now, { before: '', after: canonical })
    await addWriter(tx, id, caller.recordedUnder)
    return toReportWithBody(await requireReport(tx, { organizationId: organization.id, reportId: id }))
  })
}
