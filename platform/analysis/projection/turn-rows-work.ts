import type { OpenJob } from '#platform/ground/content/content-job.ts'
import type { SegmentPiece } from '#platform/queue/transcripts/piece-turns.ts'
import type { FinishedRun } from './store.ts'
import { type TurnRows, turnRowsOf } from './turn-rows.ts'

/** Turns a segment of a transcript into rows, in a content process. */
export const open: OpenJob<FinishedRun, SegmentPiece, TurnRows> = turnRowsOf
