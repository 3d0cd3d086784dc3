import { logTrouble } from '#server-kit/log-fault.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { readSegments } from '#platform/queue/transcripts/read-segments.ts'
import type { ContentJob } from '#platform/ground/content/content-job.ts'
import { withContent } from '#platform/ground/content/content-pool.ts'
import { piecesOf, type SegmentPiece, type SegmentPlace } from '#platform/queue/transcripts/piece-turns.ts'
import { smallSegmentBytes } from '#platform/queue/transcripts/read-page-apart.ts'
import { rowWriter } from './row-writer.ts'
import type { FinishedRun } from './store.ts'
import { toFailureRow } from './to-rows.ts'
import { TurnRows, turnRowsOf } from './turn-rows.ts'

const writeTurns: ContentJob<FinishedRun, SegmentPiece, TurnRows> = {
  module: new URL('./turn-rows-work.ts', import.meta.url),
  answer: TurnRows,
  /** A segment of 8 MiB takes half a second. */
  processorSeconds: 60,
}

type Segment = SegmentPlace & { run: FinishedRun; bytes: Uint8Array }

/** Turns a segment into rows, piece by piece. A content process reads a large one. */
async function writeTurnsApart({ run, bytes, ...place }: Segment, add: (found: TurnRows) => Promise<void>) {
  const writeAll = async (ask: (piece: SegmentPiece) => TurnRows | Promise<TurnRows>) => {
    for (const piece of piecesOf(bytes, place)) await add(await ask(piece))
  }
  if (bytes.byteLength <= smallSegmentBytes) await writeAll(turnRowsOf(run))
  else await withContent(run.organizationId, writeTurns, run, writeAll)
}

type RowWriter = ReturnType<typeof rowWriter>

/**
 * Sends the turns of these runs, including reasoning, to the engine, with a limited number in memory at a time, and the
 * last failed tool call of each run that failed.
 */
export async function projectTurns(
  services: Pick<Services, 'db' | 'blobs' | 'analytics'>,
  organizationId: string,
  runs: readonly FinishedRun[],
) {
  const rows = rowWriter(services.analytics, organizationId, 'turns')
  const failures = rowWriter(services.analytics, organizationId, 'failures')
  for (const run of runs) {
    if (!run.transcriptPublished) continue
    const { failure, missing } = await addTurns(services, run, rows)
    if (missing > 0) logTrouble(`Analytics lacks ${missing} turns of run ${run.id}, because they cannot be read`)
    if (failure) await failures.add(toFailureRow(run, failure))
  }
  await rows.send()
  await failures.send()
}

async function addTurns(services: Pick<Services, 'db' | 'blobs'>, run: FinishedRun, rows: RowWriter) {
  const found: Pick<TurnRows, 'failure' | 'missing'> = { failure: null, missing: 0 }
  await readSegments(services, { runId: run.id, attempt: run.attempt }, 0, {
    async read(bytes, place) {
      let last = place.after
      await writeTurnsApart({ run, bytes, ...place }, async (some) => {
        await rows.addLines(some.lines, some.rows)
        found.failure = some.failure ?? found.failure
        found.missing += some.missing
        last = Math.max(last, some.lastSeq)
      })
      return last
    },
    lose: (turns) => (found.missing += turns),
  })
  return found
}
