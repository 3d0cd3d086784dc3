import { type StoredTurn, readTurns } from './segments.ts'

/** A part of a segment, sent alone so that no process has to move a large message. Turns up to `after` are left out. */
export type SegmentPiece = { bytes: Uint8Array; firstSeq: number; after: number; isFirst: boolean; isLast: boolean }

/** Sending this many bytes takes a thread a millisecond. */
const pieceBytes = 512 * 1024

/** Where a segment starts, and the last turn that is known already. */
export type SegmentPlace = Pick<SegmentPiece, 'firstSeq' | 'after'>

export function* piecesOf(segment: Uint8Array, place: SegmentPlace): Generator<SegmentPiece> {
  for (let start = 0; start === 0 || start < segment.byteLength; start += pieceBytes) {
    const end = start + pieceBytes
    const bytes = segment.subarray(start, end)
    yield { ...place, bytes, isFirst: start === 0, isLast: end >= segment.byteLength }
  }
}

const lineFeed = 10

/** A turn, or null for a line that is none, with its place in the transcript. */
type PlacedTurn = { seq: number; stored: StoredTurn | null }

/** Yields the turns of the pieces of a segment, in order. A turn that is cut waits for the next piece. */
export function pieceReader() {
  let rest: Uint8Array = new Uint8Array()
  let seq = 0
  let last = 0
  return function* read({ bytes, firstSeq, after, isFirst, isLast }: SegmentPiece): Generator<PlacedTurn> {
    if (isFirst) {
      rest = new Uint8Array()
      seq = firstSeq - 1
      last = after
    }
    const whole = Buffer.concat([rest, bytes])
    const end = isLast ? whole.byteLength : whole.lastIndexOf(lineFeed) + 1
    rest = whole.subarray(end)
    for (const stored of readTurns(whole.subarray(0, end))) {
      seq = stored?.turn.seq ?? seq + 1
      if (seq <= last) continue
      last = seq
      yield { seq, stored }
    }
  }
}
