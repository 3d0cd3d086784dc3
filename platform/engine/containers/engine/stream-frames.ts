const headerBytes = 8
const stderrKind = 2

export type Frame = { stream: 'stdout' | 'stderr'; bytes: Uint8Array }

/**
 * Separates the two streams of a command, which an engine sends as frames: a kind, three zeros, the length in four
 * bytes, and the content. Parts of a frame are returned as they arrive.
 */
export function createFrameReader() {
  let header = Buffer.alloc(0)
  let left = 0
  let stream: Frame['stream'] = 'stdout'
  return function* read(chunk: Buffer): Generator<Frame> {
    let rest = chunk
    while (rest.byteLength > 0) {
      if (left > 0) {
        const bytes = rest.subarray(0, left)
        rest = rest.subarray(bytes.byteLength)
        left -= bytes.byteLength
        yield { stream, bytes }
        continue
      }
      const missing = headerBytes - header.byteLength
      header = Buffer.concat([header, rest.subarray(0, missing)])
      rest = rest.subarray(missing)
      if (header.byteLength < headerBytes) continue
      stream = header[0] === stderrKind ? 'stderr' : 'stdout'
      left = header.readUInt32BE(4)
      header = Buffer.alloc(0)
    }
  }
}
