import { z } from 'zod'

import { Bytes } from '#platform/ground/content/content-job.ts'
import { pieceReader, type SegmentPiece } from './piece-turns.ts'

/** `room` is what a page has left. The first turn of an empty page always fits. */
export type PageRequest = {
  piece: SegmentPiece
  room: { turns: number; bytes: number; isEmpty: boolean }
  includeReasoning: boolean
}

const count = z.int().min(0)

/** Turns as JSON with commas between them. `isFull`: the next one did not fit. `missing` lines were no turns. */
export const FoundTurns = z.object({
  json: Bytes,
  turns: count,
  bytes: count,
  lastSeq: count,
  missing: count,
  isFull: z.boolean(),
})
export type FoundTurns = z.infer<typeof FoundTurns>

/** Returns a function that finds the turns of a page in the pieces of one segment. */
export function pageFinder(): (request: PageRequest) => FoundTurns {
  const read = pieceReader()
  return ({ piece, room, includeReasoning }) => {
    const texts: string[] = []
    const found = { bytes: 0, lastSeq: piece.after, missing: 0, isFull: false }
    for (const { seq, stored } of read(piece)) {
      if (!stored) found.missing += 1
      else if (includeReasoning || stored.turn.kind !== 'reasoning') {
        const fits = texts.length < room.turns && found.bytes + stored.bytes <= room.bytes
        const isFirst = room.isEmpty && texts.length === 0
        found.isFull = !fits && !isFirst
        if (found.isFull) break
        texts.push(JSON.stringify(stored.turn))
        found.bytes += stored.bytes
      }
      found.lastSeq = seq
    }
    return { ...found, turns: texts.length, json: Buffer.from(texts.join(',')) }
  }
}
