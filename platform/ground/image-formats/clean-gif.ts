import { BrokenImage, type CleanImage, ImageReader } from './image-reader.ts'

const [extension, frame, trailer] = [0x21, 0x2c, 0x3b]
const [graphicControl, application] = [0xf9, 0xff]
/** The extensions that repeat an animation. */
const loops = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0'])

export const isGif = (bytes: Buffer) => /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))

/** Comments, texts and data of applications are left out, and so is everything behind the end. */
export function cleanGif(bytes: Buffer): CleanImage {
  const reader = new ImageReader(bytes, 6)
  const screen = reader.take(7)
  const [width, height] = [screen.readUInt16LE(0), screen.readUInt16LE(2)]
  takeColors(reader, screen.readUInt8(4))
  const parts: Buffer[] = [bytes.subarray(0, reader.at)]
  let hasPixels = false
  for (;;) {
    const start = reader.at
    const kind = reader.byte()
    if (kind === trailer) break
    let isKept = true
    if (kind === frame) {
      const place = reader.take(9)
      if (
        place.readUInt16LE(0) + place.readUInt16LE(4) > width ||
        place.readUInt16LE(2) + place.readUInt16LE(6) > height
      )
        throw new BrokenImage('a frame is larger than the image')
      takeColors(reader, place.readUInt8(8))
      reader.take(1)
      hasPixels = true
    } else if (kind === extension) {
      isKept = isShown(reader.byte(), reader.bytes.toString('latin1', reader.at + 1, reader.at + 12))
    } else {
      throw new BrokenImage('a block is unknown')
    }
    for (let length = reader.byte(); length > 0; length = reader.byte()) reader.take(length)
    if (isKept) parts.push(bytes.subarray(start, reader.at))
  }
  if (!hasPixels) throw new BrokenImage('it has no pixels')
  return { type: 'image/gif', width, height, bytes: Buffer.concat([...parts, Buffer.from([trailer])]) }
}

const isShown = (label: number, name: string) => label === graphicControl || (label === application && loops.has(name))

/** The color table that a packed byte announces. */
function takeColors(reader: ImageReader, packed: number) {
  if ((packed & 0x80) !== 0) reader.take(3 * 2 ** ((packed & 0x07) + 1))
}
