import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { imageTypes } from './report-images.ts'

/** The id of an image of a turn: the SHA-256 of the image as stored, and its format. */
export const TurnImageId = z.string().regex(/^[0-9a-f]{64}\.(?:png|jpeg|webp|gif)$/)

/** An image of a turn, without metadata. `width` and `height` are the pixels as shown. */
export const TurnImage = z.object({
  id: TurnImageId,
  type: z.enum(imageTypes),
  width: z.int().min(1),
  height: z.int().min(1),
  /** The size as stored, without metadata. */
  sizeBytes: z.int().min(1),
})
export type TurnImage = z.infer<typeof TurnImage>

export const getTurnImage = endpoint({
  name: 'runs.getImage',
  method: 'GET',
  path: '/runs/:id/images/:imageId',
  summary: 'Get an image of a transcript',
  response: z.string(),
  fileTypes: imageTypes,
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'not_found'],
})
