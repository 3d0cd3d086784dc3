import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { base64Length } from '#contract/wire/base64-length.ts'
import { limits } from '#contract/wire/limit.ts'

/** Formats that every browser shows and that cannot contain scripts. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const
export type ImageType = (typeof imageTypes)[number]

/** An image of the organization's reports. `width` and `height` are the pixels as shown. */
export const ReportImage = z.object({
  id: z.uuid(),
  type: z.enum(imageTypes),
  width: z.int().min(1),
  height: z.int().min(1),
  /** The size as stored, without metadata. */
  sizeBytes: z.int().min(1),
})
export type ReportImage = z.infer<typeof ReportImage>

export const addImage = endpoint({
  name: 'reportImages.add',
  method: 'POST',
  path: '/report-images',
  summary: 'Store an image for reports, without its metadata',
  body: z.object({ content: z.string().min(1).max(base64Length(limits.imageBytes)) }),
  bodyBytes: base64Length(limits.imageBytes) + 1000,
  response: z.object({ image: ReportImage }),
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'resource_exhausted'],
})

export const getImage = endpoint({
  name: 'reportImages.get',
  method: 'GET',
  path: '/report-images/:imageId',
  summary: 'Get an image of a report',
  response: z.string(),
  fileTypes: imageTypes,
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'not_found'],
})
