import { BrokenImage, type CleanImage, ImageReader } from './image-reader.ts'

const kept = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
/** The bits of `VP8X` that announce Exif and XMP. */
const metadataBits = 0x08 | 0x04

export const isWebp = (bytes: Buffer) =>
  bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'

/** Exif, XMP and unknown chunks are left out, and so is everything behind the end. */
export function cleanWebp(bytes: Buffer): CleanImage {
  const end = bytes.readUInt32LE(4) + 8
  if (end > bytes.length) throw new BrokenImage('it ends too early')
  const reader = new ImageReader(bytes.subarray(0, end), 12)
  const chunks: Buffer[] = []
  let canvas: Size | undefined
  let picture: Size | undefined
  let isAnimated = false
  while (reader.at < end) {
    const start = reader.at
    const name = reader.take(4).toString('latin1')
    const length = reader.take(4).readUInt32LE()
    const content = reader.take(length)
    // Some writers leave out the last padding.
    if (length % 2 === 1 && reader.at < end) reader.take(1)
    if (name === 'VP8X') canvas ??= canvasOf(content)
    if (name === 'VP8 ' || name === 'VP8L') picture ??= pictureOf(name, content)
    isAnimated ||= name === 'ANMF'
    if (!kept.has(name)) continue
    const chunk = Buffer.from(bytes.subarray(start, reader.at))
    if (name === 'VP8X') chunk.writeUInt8(chunk.readUInt8(8) & ~metadataBits, 8)
    chunks.push(chunk, Buffer.alloc(chunk.length % 2))
  }
  const size = canvas ?? picture
  if (!size || !(picture || isAnimated)) throw new BrokenImage('it has no pixels')
  if (picture && (picture.width !== size.width || picture.height !== size.height))
    throw new BrokenImage('its sizes differ')
  const content = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks])
  const head = Buffer.from('RIFF\0\0\0\0', 'latin1')
  head.writeUInt32LE(content.length, 4)
  return { type: 'image/webp', ...size, bytes: Buffer.concat([head, content]) }
}

type Size = { width: number; height: number }

function canvasOf(content: Buffer): Size {
  if (content.length < 10) throw new BrokenImage('its header is too short')
  return { width: content.readUIntLE(4, 3) + 1, height: content.readUIntLE(7, 3) + 1 }
}

function pictureOf(name: 'VP8 ' | 'VP8L', content: Buffer): Size {
  if (content.length < 10) throw new BrokenImage('its header is too short')
  if (name === 'VP8 ') return { width: content.readUInt16LE(6) & 0x3f_ff, height: content.readUInt16LE(8) & 0x3f_ff }
  const bits = content.readUInt32LE(1)
  return { width: (bits & 0x3f_ff) + 1, height: ((bits >>> 14) & 0x3f_ff) + 1 }
}
