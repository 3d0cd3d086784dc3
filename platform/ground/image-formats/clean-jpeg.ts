import { orientationSegment, readOrientation } from './exif-orientation.ts'
import { BrokenImage, type CleanImage, ImageReader } from './image-reader.ts'

export const jpegStart = Buffer.from([0xff, 0xd8])

const [endOfImage, startOfScan, jfif, exif, profile, adobe] = [0xd9, 0xda, 0xe0, 0xe1, 0xe2, 0xee]
/** Baseline, extended and progressive; browsers show no others. */
const frames = new Set([0xc0, 0xc1, 0xc2])
/** Tables of the decoder, and the restart interval. */
const tables = new Set([0xc4, 0xdb, 0xdd])
const colorProfile = Buffer.from('ICC_PROFILE\0', 'latin1')

/**
 * Keeps what decides how the image looks: tables, frames, scans, the color profile and the orientation. Exif with its
 * location, comments and other segments are left out, and so is everything behind the end.
 */
export function cleanJpeg(bytes: Buffer): CleanImage {
  const reader = new ImageReader(bytes, jpegStart.length)
  const parts: Buffer[] = []
  let size: { width: number; height: number } | undefined
  let [hasScan, orientation] = [false, 1]
  for (;;) {
    const start = reader.at
    const marker = readMarker(reader)
    if (marker === endOfImage) break
    const length = reader.take(2).readUInt16BE()
    if (length < 2) throw new BrokenImage('a segment has no length')
    const content = reader.take(length - 2)
    if (marker === exif && orientation === 1) orientation = readOrientation(content)
    if (frames.has(marker)) size ??= readSize(content)
    if (marker === startOfScan) {
      hasScan = true
      skipScan(reader)
    }
    const header = headerOf(marker, content)
    if (header) parts.push(header)
    else if (isKept(marker, content)) parts.push(bytes.subarray(start, reader.at))
  }
  if (!size || !hasScan) throw new BrokenImage('it has no pixels')
  const { width, height } = orientation >= 5 ? { width: size.height, height: size.width } : size
  const upright = orientation === 1 ? [] : [orientationSegment(orientation)]
  const all = [jpegStart, ...upright, ...parts, Buffer.from([0xff, endOfImage])]
  return { type: 'image/jpeg', width, height, bytes: Buffer.concat(all) }
}

function readMarker(reader: ImageReader): number {
  if (reader.byte() !== 0xff) throw new BrokenImage('a segment is missing')
  let marker = reader.byte()
  while (marker === 0xff) marker = reader.byte()
  return marker
}

function readSize(frame: Buffer) {
  if (frame.length < 6) throw new BrokenImage('its header is too short')
  return { height: frame.readUInt16BE(1), width: frame.readUInt16BE(3) }
}

/** Moves to the next marker. A zero or a restart marker behind 0xFF is part of the scan. */
function skipScan(reader: ImageReader) {
  const { bytes } = reader
  for (let at = bytes.indexOf(0xff, reader.at); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1]
    if (next === 0x00 || next === 0xff || (next !== undefined && next >= 0xd0 && next <= 0xd7)) continue
    reader.at = at
    return
  }
  throw new BrokenImage('it ends too early')
}

/** The fixed part of a JFIF or Adobe header. Other programs use these segments for thumbnails and owners' names. */
function headerOf(marker: number, content: Buffer): Buffer | null {
  if (marker === jfif && content.length >= 14 && content.toString('latin1', 0, 5) === 'JFIF\0')
    return Buffer.concat([Buffer.from([0xff, jfif, 0, 16]), content.subarray(0, 12), Buffer.from([0, 0])])
  if (marker === adobe && content.length >= 12 && content.toString('latin1', 0, 5) === 'Adobe')
    return Buffer.concat([Buffer.from([0xff, adobe, 0, 14]), content.subarray(0, 12)])
  return null
}

function isKept(marker: number, content: Buffer) {
  if (marker === profile) return content.subarray(0, colorProfile.length).equals(colorProfile)
  return marker === startOfScan || tables.has(marker) || frames.has(marker)
}
