import type { VerbInput, ResponseOf } from '#contract/endpoint.ts'
import type { deleteReport as endpoint } from '#contract/reports.ts'
import type { Context } from '#platform/context/context.ts'
import { notFound } from '#platform/failures/failure.ts'
import { deleteRemovedImages } from './delete-images.ts'
import { markImagesOfReport } from './image-store.ts'
import { findExistingReport, removeReport, nextEventTime } from './store.ts'

/**
 * DELETE /reports/{reportId}: deletes the report, the images that no other report shows, and its links to
 * cited insights, but not the insights. Errors:
 * `not_found`.
 */
export async function deleteReport(
  { db, blobs, organization }: Context,
  { reportId }: VerbInput<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const { id, findings } = await db.transaction(async (tx) => {
    await nextEventTime(tx, organization.id)
    const found = await findExistingReport(tx, { organizationId: organization.id, reportId }, undefined)
    if (found) await markImagesOfReport(tx, found.id)
    const removed = await removeReport(tx, { organizationId: organization.id, reportId })
    if (!removed) throw notFound(`Report "${reportId}" does not exist`)
    return removed
  })
  // The hourly cleanup deletes what this leaves.
  await deleteRemovedImages({ db, blobs }).catch((error: unknown) => {
    console.error('Images of a deleted report could not be deleted. The next attempt is in an hour:', error)
  })
  return { reportId: id, ...(findings > 0 && { findingLinksRemoved: findings }) }
}
