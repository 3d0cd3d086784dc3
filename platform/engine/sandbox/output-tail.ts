import { toStorableText } from '#platform/queue/run-queue/storable-text.ts'

const tailBytes = 64 * 1024

export type OutputTail = { push: (chunk: Uint8Array) => void; text: () => string; bytes: () => Uint8Array }

/** Keeps the last 64 KiB of a stream. Invalid UTF-8 becomes replacement characters, and no character is split. */
export function createTail(limit = tailBytes): OutputTail {
  let chunks: Buffer[] = []
  let size = 0
  const compact = () => {
    const all = Buffer.concat(chunks)
    chunks = [all.subarray(Math.max(0, all.byteLength - limit))]
    size = chunks[0]?.byteLength ?? 0
  }
  let wasCut = false
  return {
    push(chunk) {
      chunks.push(Buffer.from(chunk))
      size += chunk.byteLength
      if (size > limit) wasCut = true
      if (size > 2 * limit) compact()
    },
    bytes() {
      compact()
      return chunks[0] ?? Buffer.alloc(0)
    },
    text() {
      compact()
      const bytes = chunks[0] ?? Buffer.alloc(0)
      return toStorableText(bytes.subarray(wasCut ? firstCharacter(bytes) : 0).toString('utf8'))
    },
  }
}

/** A UTF-8 character has at most three continuation bytes (10xxxxxx) after its first. */
function firstCharacter(bytes: Buffer) {
  let start = 0
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1
  return start
}
