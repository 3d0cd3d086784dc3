import { toRequestParts } from '#contract/endpoint.ts'
import { addImage, getImage, type ReportImage } from '#contract/report-images.ts'
import { limits } from '#contract/wire/limit.ts'
import { call, request } from './call.ts'
import { ApiError } from './errors.ts'
import { currentOrganizationId } from './organization.ts'

const megabytes = (bytes: number) => `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`

/** Stores an image. The platform decides by its content whether it is one. */
export async function uploadImage(file: Blob): Promise<ReportImage> {
  if (file.size > limits.imageBytes)
    throw new ApiError(
      'invalid_argument',
      `The file is ${megabytes(file.size)}. The limit for an image is ${megabytes(limits.imageBytes)}.`,
    )
  const { image } = await call(addImage, { content: await toBase64(file) })
  return image
}

/** The address of an image for `<img>`. */
export function imageSource(imageId: string): string {
  const { path, query } = toRequestParts(getImage, { imageId, orgId: currentOrganizationId() })
  return `${path}?${query}`
}

/** The image at an `imageSource` as a data URL. */
export async function readImage(source: string): Promise<string> {
  const response = await request({ method: 'GET', url: source, responseType: getImage.fileTypes.join(', ') })
  const blob = await response.blob()
  return `data:${blob.type};base64,${await toBase64(blob)}`
}

const toBase64 = (blob: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')))
    reader.addEventListener('error', () =>
      reject(new ApiError('invalid_argument', 'The file could not be read', { cause: reader.error })),
    )
    reader.readAsDataURL(blob)
  })
