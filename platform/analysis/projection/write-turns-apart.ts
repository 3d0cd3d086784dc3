import type { ContentJob } from '#platform/ground/content/content-job.ts'
import { withContent } from '#platform/ground/content/content-pool.ts'
import { piecesOf, type SegmentPiece, type SegmentPlace } from '#platform/queue/transcripts/piece-turns.ts'
import { smallSegmentBytes } from '#platform/queue/transcripts/read-page-apart.ts'
import type { FinishedRun } from './store.ts'
import { TurnRows, turnRowsOf } from './turn-rows.ts'

const writeTurns: ContentJob<FinishedRun, SegmentPiece, TurnRows> = {
  module: new URL('./turn-rows-work.ts', import.meta.url),
  answer: TurnRows,
  /** A segment of 8 MiB takes half a second. */
  processorSeconds: 60,
}

type Segment = SegmentPlace & { run: FinishedRun; bytes: Uint8Array }

/** Turns a segment into rows, piece by piece. A content process reads a large one. */
export async function writeTurnsApart({ run, bytes, ...place }: Segment, add: (found: TurnRows) => Promise<void>) {
  const writeAll = async (ask: (piece: SegmentPiece) => TurnRows | Promise<TurnRows>) => {
    for (const piece of piecesOf(bytes, place)) await add(await ask(piece))
  }
  if (bytes.byteLength <= smallSegmentBytes) await writeAll(turnRowsOf(run))
  else await withContent(writeTurns, run, writeAll)
}
