import { Header, type HeaderData, Pax } from 'tar'

const blockBytes = 512

export const tarEnd = Buffer.alloc(2 * blockBytes)

/** The bytes of one entry of a tar. */
export function* tarEntry(facts: HeaderData, content?: Uint8Array): Generator<Uint8Array> {
  const header = new Header(facts)
  // Names that do not fit in a header have one of their own before it.
  if (header.encode()) yield new Pax(facts).encode()
  if (header.block) yield header.block
  if (!content) return
  yield content
  yield Buffer.alloc((blockBytes - (content.byteLength % blockBytes)) % blockBytes)
}
