import type { VerbInput, ResponseOf } from '#contract/endpoint.ts'
import type { deleteReport as endpoint } from '#contract/reports.ts'
import type { Context } from '#platform/context/context.ts'
import { notFound } from '#platform/failures/failure.ts'
import { releaseFilesOfReport } from './file-store.ts'
import { findExistingReport, removeReport, nextEventTime } from './store.ts'

/**
 * DELETE /reports/{reportId}: deletes the report and its links to cited insights, but not the insights. Images
 * and pinned figures that no report shows are deleted a day later: a colleague may be pasting one. Errors: `not_found`.
 */
export async function deleteReport(
  { db, organization }: Context,
  { reportId }: VerbInput<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const { id, findings } = await db.transaction(async (tx) => {
    await nextEventTime(tx, organization.id)
    const found = await findExistingReport(tx, { organizationId: organization.id, reportId }, undefined)
    if (found) await releaseFilesOfReport(tx, found.id)
    const removed = await removeReport(tx, { organizationId: organization.id, reportId })
    if (!removed) throw notFound(`Report "${reportId}" does not exist`)
    return removed
  })
  return { reportId: id, ...(findings > 0 && { findingLinksRemoved: findings }) }
}
