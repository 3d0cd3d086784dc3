import { isAscii, isUtf8 } from 'node:buffer'

import { encodingOf } from '#platform/engine/run-engine/captured-tests/reports/report-text.ts'

const notUtf8 = 'it is not text in UTF-8'

/** The alphabet of spreadsheets that write no UTF-8. */
const ofSpreadsheets = 'windows-1252'

const isWide = (encoding: string) => encoding.startsWith('utf-16')

/** The text at the start of a file. Its last character can be cut. */
export function startOfText(head: Buffer): string {
  const encoding = encodingOf(head)
  if (encoding !== 'utf-8') return new TextDecoder(encoding).decode(head)
  return new TextDecoder(isOfSpreadsheet(head.subarray(0, endOfCharacters(head))) ? ofSpreadsheets : 'utf-8').decode(
    head,
  )
}

export const isWideText = (head: Buffer) => isWide(encodingOf(head))

/** A text in UTF-16 as UTF-8, in pieces. Other bytes stay as they are. */
export async function* inUtf8(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | null = null
  let isFirst = true
  for await (const piece of pieces) {
    const encoding = isFirst ? encodingOf(piece) : 'utf-8'
    if (isWide(encoding)) decoder = new TextDecoder(encoding)
    isFirst = false
    yield decoder ? Buffer.from(decoder.decode(piece, { stream: true })) : piece
  }
}

/** The text of a table in pieces: UTF-8, UTF-16, or the alphabet of older spreadsheets. Throws if it is none of them. */
export async function* textOfTable(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let held = Buffer.alloc(0)
  let isPlain = true
  let decoder: TextDecoder | null = null
  const take = (bytes: Buffer) => {
    if (!decoder && !isUtf8(bytes)) {
      if (!isPlain || !isOfSpreadsheet(bytes)) throw new Error(notUtf8)
      decoder = new TextDecoder(ofSpreadsheets)
    }
    isPlain &&= isAscii(bytes)
    return (decoder ?? new TextDecoder()).decode(bytes)
  }
  for await (const piece of inUtf8(pieces)) {
    const bytes = held.length === 0 ? piece : Buffer.concat([held, piece])
    const end = endOfCharacters(bytes)
    held = Buffer.from(bytes.subarray(end))
    yield take(bytes.subarray(0, end))
  }
  if (held.length > 0) yield take(held)
}

/** Text of another alphabet has hardly any characters of UTF-8 by chance, and broken UTF-8 has mostly those. */
function isOfSpreadsheet(bytes: Buffer) {
  if (isUtf8(bytes)) return false
  let [broken, whole] = [0, 0]
  for (const [character] of new TextDecoder().decode(bytes).matchAll(/[^\p{ASCII}]/gu))
    if (character === '\uFFFD') broken += 1
    else whole += 1
  return broken > whole
}

/** Where the last whole character of UTF-8 ends. */
function endOfCharacters(bytes: Buffer) {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) break
    if (byte < 0xc0) continue
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return size > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}
