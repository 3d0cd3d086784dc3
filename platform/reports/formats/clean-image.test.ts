import { expect, test } from 'vitest'

import { gifFile, jpegFile, pngChunk, pngFile, secretPlace, webpFile } from '#platform/testing/image-files.ts'
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

test.each(formats)('every beginning of a %s file is refused as damaged, and none is read without end', (format) => {
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
          expect(String(error), `${format} ${at}`).toMatch(/^Failure: (The image|An image|`content`)/)
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
  expect(() => cleanImage(large)).toThrow('at most 5,000,000 bytes')
})
