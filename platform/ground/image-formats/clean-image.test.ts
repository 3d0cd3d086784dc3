import { expect, test } from 'vitest'

import { gifFile, jpegFile, pngChunk, pngFile, secretPlace, webpFile } from '#platform/program/testing/image-files.ts'
import { cleanImage } from './clean-image.ts'

const files = { png: pngFile(), jpeg: jpegFile(), webp: webpFile(), gif: gifFile() }
const sizes = { png: [8, 4], jpeg: [4, 8], webp: [8, 4], gif: [1, 1] }
const formats = ['png', 'jpeg', 'webp', 'gif'] as const

test.each(formats)('a %s file keeps its size and loses its metadata, and what is behind its end', (format) => {
  const file = files[format]
  expect(file.includes(secretPlace)).toBe(true)
  const { type, width, height, bytes } = cleanImage(file)
  expect([type, width, height]).toEqual([`image/${format}`, ...sizes[format]])
  expect(bytes.includes(secretPlace)).toBe(false)
  expect(cleanImage(bytes)).toEqual({ type, width, height, bytes })
})

test('a photo stays upright: of its Exif data only the orientation is kept', () => {
  const { bytes } = cleanImage(jpegFile({ orientation: 8 }))
  expect(bytes.subarray(0, 4).toString('hex')).toBe('ffd8ffe1')
  const upright = cleanImage(jpegFile({ orientation: 1 }))
  expect([upright.width, upright.height, upright.bytes.includes('Exif')]).toEqual([8, 4, false])
})

test('a webp file no longer announces the metadata that it lost', () => {
  const { bytes } = cleanImage(webpFile())
  expect(bytes[bytes.indexOf('VP8X') + 8]).toBe(0)
})

test.each([
  ['an SVG drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
  ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['nothing', Buffer.alloc(0)],
  ['a PDF', Buffer.from('%PDF-1.7')],
  ['an AVIF image', Buffer.from('\0\0\0\x1cftypavif')],
])('%s is refused', (_, bytes) => {
  expect(() => cleanImage(bytes)).toThrow('must be a PNG, JPEG, WebP or GIF')
})

test.each(formats)('every truncated %s file is refused as damaged, and reading it always ends', (format) => {
  const whole = cleanImage(files[format]).bytes
  for (let length = 12; length < whole.length; length += 1)
    expect(() => cleanImage(whole.subarray(0, length)), String(length)).toThrow('The image is damaged')
})

test('bytes that were changed never raise anything but a refusal', () => {
  for (const format of formats) {
    const whole = files[format]
    for (let at = 8; at < whole.length; at += 1) {
      for (const value of [0x00, 0x7f, 0xff]) {
        const changed = Buffer.from(whole)
        changed[at] = value
        try {
          cleanImage(changed)
        } catch (error) {
          expect(String(error), `${format} ${at}`).toMatch(/^Failure: (The image|The limit|`content`)/)
        }
      }
    }
  }
})

test.each([
  [100_000, 1, 'on a side'],
  [10_000, 10_000, '40,000,000 in total'],
  [0, 5, 'no pixels'],
])('an image of %i by %i pixels is refused', (width, height, message) => {
  expect(() => cleanImage(pngFile({ width, height }))).toThrow(message)
})

test('an image of more bytes than the limit is refused', () => {
  const [start, end] = [files.png.subarray(0, 33), files.png.subarray(33)]
  const large = Buffer.concat([start, pngChunk('IDAT', Buffer.alloc(5_000_000)), end])
  expect(() => cleanImage(large)).toThrow('5,000,000 bytes')
})

test('an image of very many tiny parts is refused', () => {
  const start = files.gif.subarray(0, files.gif.indexOf(0x2c))
  const parts = Buffer.alloc(3_000_000, Buffer.from([0x21, 0xf9, 0x00]))
  expect(() => cleanImage(Buffer.concat([start, parts, Buffer.from([0x3b])]))).toThrow('too many parts')
})

test('headers of a photo lose thumbnails, and what other programs keep in their place', () => {
  const segment = (marker: number, content: Buffer) => {
    const head = Buffer.from([0xff, marker, 0, 0])
    head.writeUInt16BE(content.length + 2, 2)
    return Buffer.concat([head, content])
  }
  const plain = cleanImage(jpegFile({ orientation: 1 })).bytes
  const withHeaders = (...segments: Buffer[]) => Buffer.concat([plain.subarray(0, 2), ...segments, plain.subarray(2)])
  const jfif = Buffer.concat([Buffer.from('JFIF\0\x01\x02\0\0\x01\0\x01\x01\x01', 'latin1'), Buffer.from(secretPlace)])
  const { bytes } = cleanImage(
    withHeaders(
      segment(0xe0, jfif),
      segment(0xe0, Buffer.from(`JFXX\0${secretPlace}`)),
      segment(0xe0, Buffer.from(`II HEAPCCDR${secretPlace}`)),
      segment(0xee, Buffer.from(`Owner ${secretPlace}`)),
    ),
  )
  expect(bytes.includes(secretPlace)).toBe(false)
  expect(bytes.includes('JFIF')).toBe(true)
  expect(bytes.includes('JFXX')).toBe(false)
})
