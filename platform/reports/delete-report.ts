import type { VerbInput, ResponseOf } from '#contract/endpoint.ts'
import type { deleteReport as endpoint } from '#contract/reports.ts'
import type { Context } from '#platform/context/context.ts'
import { notFound } from '#platform/failures/failure.ts'
import { removeReport, nextEventTime } from './store.ts'

/**
 * DELETE /reports/{reportId}: deletes the report and its links to cited insights, but not the insights. Errors:
 * `not_found`.
 */
export async function deleteReport(
  { db, organization }: Context,
  { reportId }: VerbInput<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  return db.transaction(async (tx) => {
    await nextEventTime(tx, organization.id)
    const removed = await removeReport(tx, { organizationId: organization.id, reportId })
    if (!removed) throw notFound(`Report "${reportId}" does not exist`)
    return { reportId: removed.id, ...(removed.findings > 0 && { findingLinksRemoved: removed.findings }) }
  })
}
