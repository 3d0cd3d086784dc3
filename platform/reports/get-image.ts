import type { VerbInput } from '#contract/endpoint.ts'
import type { getImage as endpoint } from '#contract/report-images.ts'
import type { Context } from '#platform/context/context.ts'
import { ImageFile } from '#platform/context/image-file.ts'
import { notFound } from '#platform/failures/failure.ts'
import { fileKey } from './file-key.ts'
import { findImage } from './file-store.ts'

/** GET /report-images/{imageId}: the image itself. Errors: `not_found`. */
export async function getImage(
  { db, blobs, organization }: Context,
  { imageId }: VerbInput<typeof endpoint>,
): Promise<ImageFile> {
  const row = await findImage(db, organization.id, imageId)
  const bytes = row && (await blobs.get(fileKey(row.id)))
  if (!bytes) throw notFound(`Image "${imageId}" does not exist`)
  return new ImageFile(row.type, bytes)
}
