import type { Services } from '#platform/ground/context/context.ts'
import { ImageFile } from '#platform/ground/context/image-file.ts'
import { fileKey } from './file-key.ts'
import { findImage } from './file-store.ts'

/** Returns null if the organization has no such image. */
export async function readImage(
  { db, blobs }: Pick<Services, 'db' | 'blobs'>,
  organizationId: string,
  imageId: string,
): Promise<ImageFile | null> {
  const row = await findImage(db, organizationId, imageId)
  const bytes = row && (await blobs.get(fileKey(row.id)))
  return bytes ? new ImageFile(row.type, bytes) : null
}
