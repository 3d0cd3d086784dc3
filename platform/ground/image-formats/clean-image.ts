import { limits } from '#contract/wire/limit.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { cleanGif, isGif } from './clean-gif.ts'
import { cleanJpeg, jpegStart } from './clean-jpeg.ts'
import { cleanPng, pngStart } from './clean-png.ts'
import { cleanWebp, isWebp } from './clean-webp.ts'
import { BrokenImage, type CleanImage } from './image-reader.ts'

const number = (value: number) => value.toLocaleString('en')

/**
 * Returns the image without metadata. The bytes decide the type, never a name. Throws `invalid_argument` for other
 * formats, damaged images and images over the limits.
 */
export function cleanImage(bytes: Buffer): CleanImage {
  if (bytes.length > limits.imageBytes) throw invalid(`The limit for an image is ${number(limits.imageBytes)} bytes`)
  const clean = formatOf(bytes)
  if (!clean) throw invalid('`content` must be a PNG, JPEG, WebP or GIF image in base64')
  const image = read(clean, bytes)
  const { width, height } = image
  if (width < 1 || height < 1) throw invalid('The image has no pixels')
  if (Math.max(width, height) > limits.imageSide || width * height > limits.imagePixels)
    throw invalid(
      `The image has ${number(width)} × ${number(height)} pixels. The limits are ${number(limits.imagePixels)} in total and ${number(limits.imageSide)} on a side`,
    )
  return image
}

function formatOf(bytes: Buffer) {
  if (bytes.subarray(0, pngStart.length).equals(pngStart)) return cleanPng
  if (bytes.subarray(0, jpegStart.length).equals(jpegStart)) return cleanJpeg
  if (isWebp(bytes)) return cleanWebp
  return isGif(bytes) ? cleanGif : undefined
}

function read(clean: (bytes: Buffer) => CleanImage, bytes: Buffer) {
  try {
    return clean(bytes)
  } catch (error) {
    if (error instanceof BrokenImage) throw invalid(`The image is damaged: ${error.message}`)
    throw error
  }
}
