import { crc32, deflateSync } from 'node:zlib'

/** A word in the metadata of every file of this module, which no stored image may contain. */
export const secretPlace = 'N 52 31 12'

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export function pngChunk(name: string, content: Uint8Array) {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content])
  return Buffer.concat([uint32(content.length), named, uint32(crc32(named))])
}

/** A gray image with a text, a time and a location, and bytes behind its end. */
export function pngFile({ width = 8, height = 4, shade = 0x80 } = {}) {
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 0, 0, 0, 0])])
  // A file that claims to be huge has no pixels to show for it.
  const rows = Buffer.alloc(width * height > 1e6 ? 8 : (width + 1) * height, shade)
  for (let row = 0; row < rows.length; row += width + 1) rows[row] = 0
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('tEXt', Buffer.from(`Comment\0${secretPlace}`)),
    pngChunk('eXIf', Buffer.from(`MM\0*${secretPlace}`)),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
    Buffer.from(secretPlace),
  ])
}

const plainJpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAEAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAb/xAAYEAEAAwEAAAAAAAAAAAAAAAAABUOCwf/EABUBAQEAAAAAAAAAAAAAAAAAAAME/8QAHBEAAgAHAAAAAAAAAAAAAAAAAAECAwUyNIGx/9oADAMBAAIRAxEAPwCSmadcAFJsRfUsqLXEf//Z',
  'base64',
)

/** A photo, 8 × 4 pixels as stored, with an orientation and a location in Exif, a comment, and bytes behind its end. */
export function jpegFile({ orientation = 6 } = {}) {
  const entry = Buffer.from([0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0])
  const tiff = Buffer.concat([Buffer.from('II*\0\x08\0\0\0\x01\0', 'latin1'), entry, Buffer.from(secretPlace)])
  const segment = (marker: number, content: Buffer) => {
    const head = Buffer.from([0xff, marker, 0, 0])
    head.writeUInt16BE(content.length + 2, 2)
    return Buffer.concat([head, content])
  }
  return Buffer.concat([
    plainJpeg.subarray(0, 2),
    segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])),
    segment(0xfe, Buffer.from(secretPlace)),
    plainJpeg.subarray(2),
    Buffer.from(secretPlace),
  ])
}

const webpPicture = Buffer.from(
  'VlA4IDIAAACwAQCdASoIAAQAAsBMJagCdEf/gp4AAP7uQx69Lb2fW8V/8m3/qxZ3Jj/Av/VizuAAAA==',
  'base64',
)

/** An image of 8 × 4 pixels with Exif and XMP. */
export function webpFile() {
  const chunk = (name: string, content: Buffer) => {
    const head = Buffer.from(`${name}\0\0\0\0`, 'latin1')
    head.writeUInt32LE(content.length, 4)
    return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
  }
  const content = Buffer.concat([
    Buffer.from('WEBP', 'latin1'),
    chunk('VP8X', Buffer.from([0x08 | 0x04, 0, 0, 0, 7, 0, 0, 3, 0, 0])),
    webpPicture,
    chunk('EXIF', Buffer.from(secretPlace)),
    chunk('XMP ', Buffer.from(`${secretPlace}.`)),
  ])
  const head = Buffer.from('RIFF\0\0\0\0', 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, Buffer.from(secretPlace)])
}

/** An animation of two frames of one pixel, with a comment and data of an application. */
export function gifFile() {
  const frame = Buffer.from([0x21, 0xf9, 4, 0, 10, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
  const said = (label: number[], text: string) =>
    Buffer.concat([Buffer.from([0x21, ...label]), Buffer.from([text.length]), Buffer.from(text), Buffer.from([0])])
  return Buffer.concat([
    Buffer.from('GIF89a\x01\0\x01\0\x80\0\0', 'latin1'),
    Buffer.from([255, 0, 0, 0, 0, 255]),
    Buffer.concat([Buffer.from([0x21, 0xff, 11]), Buffer.from('NETSCAPE2.0\x03\x01\0\0\0', 'latin1')]),
    said([0xfe], secretPlace),
    Buffer.concat([Buffer.from([0x21, 0xff, 11]), Buffer.from('XMP DataXMP'), said([], secretPlace).subarray(1)]),
    frame,
    frame,
    Buffer.from([0x3b]),
    Buffer.from(secretPlace),
  ])
}
