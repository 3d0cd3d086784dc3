import { v7 as newId } from 'uuid'

import type { VerbInput } from '#contract/endpoint.ts'
import type { createReport as endpoint, ReportWithBody } from '#contract/reports.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { claimKey } from '#platform/ground/idempotency-keys/claim-key.ts'
import { requireReport } from './require-report.ts'
import { addWriter, findReport, insertReport, lockReportsClock, type ReportKey } from './store.ts'
import { toColumns, toReportWithBody } from './to-report.ts'
import { recordWrite, refuseLongBody } from './write-report.ts'

/**
 * POST /reports: creates a report with its body in canonical form, once for each idempotency key. Errors:
 * `invalid_argument`.
 */
export async function createReport(context: Context, input: VerbInput<typeof endpoint>): Promise<ReportWithBody> {
  const { db, organization, caller } = context
  const { bodyMarkdown = '', ...columns } = toColumns(input)
  refuseLongBody(bodyMarkdown)
  const id = newId()
  return db.transaction(async (tx) => {
    const earlier = await claimKey(tx, context, { operation: 'reports.create', input }, id)
    if (earlier) return toReportWithBody(await requireMade(tx, { organizationId: organization.id, reportId: earlier }))
    const now = await lockReportsClock(tx, organization.id)
    await insertReport(tx, {
      id,
      organizationId: organization.id,
      ...columns,
      title: input.title,
      bodyMarkdown,
      createdBy: caller.recordedUnder,
      updatedBy: caller.recordedUnder,
      createdAt: now,
      updatedAt: now,
    })
    await recordWrite(tx, id, { changedAt: now, body: { before: '', after: bodyMarkdown } })
    await addWriter(tx, id, caller.recordedUnder)
    return toReportWithBody(await requireReport(tx, { organizationId: organization.id, reportId: id }))
  })
}

async function requireMade(tx: Database, key: ReportKey) {
  const row = await findReport(tx, key)
  if (!row) throw invalid('The report that this Idempotency-Key created was deleted. Send another key')
  return row
}
