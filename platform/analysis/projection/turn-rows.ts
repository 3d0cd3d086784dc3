import { z } from 'zod'

import type { Turn } from '#contract/transcripts.ts'
import { failureOfTool, FoundFailure } from '#platform/analysis/projection/signatures/failures-of-run.ts'
import { Bytes } from '#platform/ground/content/content-job.ts'
import { pieceReader, type SegmentPiece } from '#platform/queue/transcripts/piece-turns.ts'
import type { FinishedRun } from './store.ts'
import { toTurnRow } from './to-rows.ts'

const count = z.int().min(0)

/** Rows of turns as lines, and the last failed call among them. `missing` lines were no turns. */
export const TurnRows = z.object({
  lines: Bytes,
  rows: count,
  failure: FoundFailure.nullable(),
  lastSeq: count,
  missing: count,
})
export type TurnRows = z.infer<typeof TurnRows>

/** Returns a function that turns the pieces of one segment into rows. */
export function turnRowsOf(run: FinishedRun): (piece: SegmentPiece) => TurnRows {
  const read = pieceReader()
  return (piece) => {
    const lines: string[] = []
    let lastFailed: Turn | null = null
    let lastSeq = piece.after
    let missing = 0
    for (const { seq, stored } of read(piece)) {
      lastSeq = seq
      if (!stored) missing += 1
      else {
        lines.push(`${JSON.stringify(toTurnRow(run, stored.turn))}\n`)
        if (stored.turn.failed) lastFailed = stored.turn
      }
    }
    const failure = failureOfTool(run, lastFailed)
    return { lines: Buffer.from(lines.join('')), rows: lines.length, failure, lastSeq, missing }
  }
}
