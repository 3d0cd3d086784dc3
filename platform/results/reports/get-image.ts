import type { VerbInput } from '#contract/endpoint.ts'
import type { getImage as endpoint } from '#contract/report-images.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { ImageFile } from '#platform/ground/context/image-file.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import { readImage } from './read-image.ts'

/** GET /report-images/{imageId}: the image itself. Errors: `not_found`. */
export async function getImage(context: Context, { imageId }: VerbInput<typeof endpoint>): Promise<ImageFile> {
  const image = await readImage(context, context.organization.id, imageId)
  if (!image) throw notFound(`Image "${imageId}" does not exist`)
  return image
}
