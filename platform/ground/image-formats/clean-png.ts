import { crc32 } from 'node:zlib'

import { BrokenImage, type CleanImage, ImageReader } from './image-reader.ts'

export const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** The chunks that decide what is seen, including those of animations. Texts, times, locations and unknown chunks are left out. */
const kept = new Set('IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP sBIT bKGD pHYs acTL fcTL fdAT'.split(' '))

/** Nothing behind the end of the image is kept. */
export function cleanPng(bytes: Buffer): CleanImage {
  const reader = new ImageReader(bytes, pngStart.length)
  const parts: Buffer[] = [pngStart]
  let size: { width: number; height: number } | undefined
  let hasPixels = false
  for (let name = ''; name !== 'IEND';) {
    const start = reader.at
    const length = reader.take(4).readUInt32BE()
    const named = reader.take(4 + length)
    name = named.toString('latin1', 0, 4)
    if (crc32(named) !== reader.take(4).readUInt32BE()) throw new BrokenImage('a checksum is wrong')
    if (!size) {
      if (name !== 'IHDR' || length !== 13) throw new BrokenImage('it has no header')
      size = { width: named.readUInt32BE(4), height: named.readUInt32BE(8) }
    }
    hasPixels ||= name === 'IDAT'
    if (kept.has(name)) parts.push(bytes.subarray(start, reader.at))
  }
  if (!size || !hasPixels) throw new BrokenImage('it has no pixels')
  return { type: 'image/png', ...size, bytes: Buffer.concat(parts) }
}
