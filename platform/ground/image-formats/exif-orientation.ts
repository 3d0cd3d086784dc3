const head = Buffer.from('Exif\0\0', 'latin1')

/** The orientation in an Exif segment, 1 to 8; 1 is upright. */
export function readOrientation(segment: Buffer): number {
  if (!segment.subarray(0, head.length).equals(head)) return 1
  const tiff = segment.subarray(head.length)
  const order = tiff.toString('latin1', 0, 2)
  if (tiff.length < 10 || (order !== 'II' && order !== 'MM')) return 1
  const short = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (directory + 2 > tiff.length) return 1
  const count = short(directory)
  for (let entry = 0; entry < count; entry += 1) {
    const at = directory + 2 + entry * 12
    if (at + 12 > tiff.length) return 1
    if (short(at) === 0x0112) {
      const value = short(at + 8)
      return value >= 1 && value <= 8 ? value : 1
    }
  }
  return 1
}

/** An Exif segment with an orientation and nothing else. */
export const orientationSegment = (orientation: number) =>
  Buffer.concat([
    Buffer.from([0xff, 0xe1, 0x00, 0x22]),
    head,
    Buffer.from('MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0', 'latin1'),
    Buffer.from([orientation, 0, 0, 0, 0, 0, 0]),
  ])
