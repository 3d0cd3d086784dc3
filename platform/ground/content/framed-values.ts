import type { Readable } from 'node:stream'
import { deserialize, serialize } from 'node:v8'

const lengthBytes = 4

/** More than any job sends. A length without a limit would let one side fill the memory of the other. */
const mostBytes = 512 * 1024 ** 2

/** A value as it travels over a connection: its length in bytes, and a copy of it as structured clone makes one. */
export function frameOf(value: unknown): Buffer {
  const bytes = serialize(value)
  const length = Buffer.allocUnsafe(lengthBytes)
  length.writeUInt32LE(bytes.byteLength)
  return Buffer.concat([length, bytes])
}

/** Calls `onValue` with each value that arrives. If one cannot be read, or `onValue` throws, it calls `onBroken` and stops. */
export function readFrames(connection: Readable, onValue: (value: unknown) => void, onBroken: () => void): void {
  let chunks: Buffer[] = []
  let received = 0
  /** Of the length, then of the value. */
  let wanted = lengthBytes
  let isLength = true

  /** A large value arrives in many chunks, which are joined once. */
  const take = () => {
    const [first = Buffer.alloc(0)] = chunks
    const all = chunks.length === 1 ? first : Buffer.concat(chunks)
    const part = all.subarray(0, wanted)
    received -= wanted
    chunks = received > 0 ? [all.subarray(wanted)] : []
    return part
  }
  const read = (chunk: Buffer) => {
    chunks.push(chunk)
    received += chunk.byteLength
    while (received >= wanted) {
      const part = take()
      wanted = isLength ? part.readUInt32LE() : lengthBytes
      if (wanted > mostBytes) throw new RangeError('A value is too large')
      if (!isLength) onValue(deserialize(part))
      isLength = !isLength
    }
  }
  const onData = (chunk: Buffer) => {
    try {
      read(chunk)
    } catch {
      connection.off('data', onData).resume()
      onBroken()
    }
  }
  connection.on('data', onData)
}
