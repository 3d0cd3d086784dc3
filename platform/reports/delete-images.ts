import type { Services } from '#platform/context/context.ts'
import { imageKey } from './image-key.ts'
import { findOrganizationsWithUnused, findRemovedImages, forgetImage, markUnusedImages } from './file-store.ts'
import { nextEventTime } from './store.ts'

const imagesPerPass = 100

/** Long enough to undo a deletion in the text, or to save a draft. */
const keptUnusedMs = 24 * 60 * 60_000

/** Deletes the blobs of removed images, also of those that an interrupted pass left. */
export async function deleteRemovedImages({ db, blobs }: Pick<Services, 'db' | 'blobs'>) {
  for (;;) {
    const removed = await findRemovedImages(db, imagesPerPass)
    for (const { id } of removed) {
      await blobs.delete(imageKey(id))
      await forgetImage(db, id)
    }
    if (removed.length < imagesPerPass) return
  }
}

/** Removes the images that no report has shown for a day. */
export async function deleteUnusedImages(services: Pick<Services, 'db' | 'blobs'>, now = Date.now()) {
  const { db } = services
  const before = new Date(now - keptUnusedMs).toISOString()
  for (const organizationId of await findOrganizationsWithUnused(db, before)) {
    await db.transaction(async (tx) => {
      await nextEventTime(tx, organizationId)
      await markUnusedImages(tx, organizationId, before)
    })
  }
  await deleteRemovedImages(services)
}
