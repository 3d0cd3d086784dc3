import type { Context } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import type { runRequests } from '#platform/ground/database/tables/runs.ts'
import { reclaimBlobs } from '#platform/results/retention/forget-removals.ts'
import { recordEndedRuns, recordRequestOnce } from '#platform/queue/run-queue/record-ended-runs.ts'
import { recordTests, type TestCapture } from '#platform/queue/run-queue/record-tests.ts'
import { recordSegments } from '#platform/queue/transcripts/record-segments.ts'
import { type Segment, segmentKey } from '#platform/queue/transcripts/segments.ts'
import { toCleanText } from './results-file.ts'
import { readTrialApart } from './read-trial-apart.ts'
import { toRun, type TrialRun } from './trial-to-run.ts'

export type ImportedTrial = { run: TrialRun; transcript: Segment | null; turnCount: number; testOutput: string }

type NewRequest = typeof runRequests.$inferInsert

const attempt = 1

/** Writes blobs first, so that no row names a missing blob. A second import writes the same keys again. */
export async function readLogs({ db, blobs }: Context, run: TrialRun, logs: string | null): Promise<ImportedTrial> {
  if (logs === null) return { run, transcript: null, turnCount: 0, testOutput: '' }
  const { lines, turnCount, testOutput } = await readTrialApart({ logs, instruction: run.trial.instruction ?? null })
  if (turnCount === 0) return { run, transcript: null, turnCount, testOutput }
  const transcript = toSegment(run.id, turnCount, lines.byteLength)
  // Retention may have removed an earlier life of the run, whose blob has the same key.
  await reclaimBlobs(db, [transcript.blobKey])
  await blobs.put(transcript.blobKey, lines)
  return { run, transcript, turnCount, testOutput }
}

const toSegment = (runId: string, turnCount: number, bytes: number): Segment => ({
  firstSeq: 1,
  lastSeq: turnCount,
  turnCount,
  reasoningTurnCount: 0,
  blobKey: segmentKey({ runId, attempt }, 1, turnCount),
  imageKeys: [],
  bytes,
})

/**
 * Stores trials with their request: in one transaction if possible, else one by one, so that a trial which the database
 * refuses affects only itself. Returns the errors by run id.
 */
export async function storeTrials(
  db: Database,
  request: NewRequest,
  trials: readonly ImportedTrial[],
): Promise<Map<string, unknown>> {
  const [first] = trials
  if (!first) return new Map()
  try {
    await db.transaction((tx) => storeTogether(tx, request, trials))
    return new Map()
  } catch (error) {
    if (trials.length === 1) return new Map([[first.run.id, error]])
    const failed = new Map<string, unknown>()
    for (const trial of trials)
      for (const [id, reason] of await storeTrials(db, request, [trial])) failed.set(id, reason)
    return failed
  }
}

async function storeTogether(tx: Database, request: NewRequest, trials: readonly ImportedTrial[]) {
  const { organizationId, experimentId, fingerprint, ordinal, triggeredBy } = request
  const origin = { organizationId, experimentId, fingerprint, ordinal, triggeredBy, requestId: request.id }
  const rows = trials.map(({ run, transcript, turnCount }) => ({
    ...toRun({ ...origin, directoryTime: request.createdAt }, run),
    transcriptPublished: transcript !== null,
    turnCount,
  }))
  await recordRequestOnce(tx, request)
  await recordEndedRuns(tx, rows)
  await recordTests(
    tx,
    trials.map(({ run, testOutput }) => ({ runId: run.id, tests: toCaptures(run, testOutput) })),
  )
  for (const { run, transcript } of trials) {
    if (transcript) await recordSegments(tx, [{ run: { runId: run.id, attempt }, segments: [transcript] }])
  }
}

const toCaptures = ({ tests }: TrialRun, testOutput: string): TestCapture[] =>
  tests.map(({ name, outcome, message }) => ({
    name,
    outcome,
    exitCode: null,
    durationMs: null,
    stdoutTail: toCleanText(testOutput),
    stderrTail: message,
  }))
