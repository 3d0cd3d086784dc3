/** Bytes that wait in the chunks in which they came. Adding and taking copy only what is taken. */
export class HeldBytes {
  private chunks: Uint8Array[] = []
  private first = 0
  /** The position in the stream of the first held byte, and that after the last one. */
  from = 0
  to = 0

  add(chunk: Uint8Array) {
    if (chunk.byteLength === 0) return
    // The giver may use its bytes again.
    this.chunks.push(Buffer.from(chunk))
    this.to += chunk.byteLength
  }

  /** Appends the bytes before a position to `parts`, and no longer holds them. */
  take(until: number, parts: Uint8Array[]) {
    while (this.from < until) {
      const chunk = this.chunks[this.first]
      if (!chunk) return
      const taken = Math.min(chunk.byteLength, until - this.from)
      parts.push(chunk.subarray(0, taken))
      this.from += taken
      if (taken < chunk.byteLength) this.chunks[this.first] = chunk.subarray(taken)
      else this.first += 1
    }
    if (this.first * 2 < this.chunks.length) return
    this.chunks = this.chunks.slice(this.first)
    this.first = 0
  }
}
