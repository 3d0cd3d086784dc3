import type { ImageType } from '#contract/report-images.ts'

/** An image without metadata. */
export type CleanImage = { type: ImageType; width: number; height: number; bytes: Buffer }

/** The bytes are not a whole image of their format. */
export class BrokenImage extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'BrokenImage'
  }
}

/** Several times what a real image of the largest size needs; its parts have hundreds of bytes. */
const mostReads = 200_000

/** Reads bytes in order. A read past the end is a `BrokenImage`. */
export class ImageReader {
  readonly bytes: Buffer
  at = 0
  #reads = 0

  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  /** The next bytes, and moves behind them. */
  take(count: number): Buffer {
    this.#reads += 1
    if (this.#reads > mostReads) throw new BrokenImage('it has too many parts')
    const end = this.at + count
    if (end > this.bytes.length) throw new BrokenImage('it ends too early')
    const part = this.bytes.subarray(this.at, end)
    this.at = end
    return part
  }

  byte = () => this.take(1).readUInt8()
}
