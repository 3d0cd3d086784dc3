import { and, eq, sql } from 'drizzle-orm'

import { countOutcomes } from '#contract/outcomes.ts'
import type { CostLimitScope } from '#contract/runs.ts'
import { analyticsOutbox } from '#platform/database/tables/analytics.ts'
import type { Services } from '#platform/context/context.ts'
import { recordUsage } from '#platform/credits/record-usage.ts'
import { clockNow } from '#platform/database/clock.ts'
import type { Database } from '#platform/database/open-database.ts'
import { runs, transcriptSegments } from '#platform/database/tables/runs.ts'
import { deleteUnrecordedChanges, recordChanges } from '#platform/changes/recording/record-changes.ts'
import type { WrittenChanges } from '#platform/changes/recording/write-changes.ts'
import { recordTests, type TestCapture } from './record-tests.ts'
import { mergeSegments } from '#platform/transcripts/merge-segments.ts'
import { dropSegments, recordSegments } from '#platform/transcripts/record-segments.ts'
import type { RunAttempt, Segment } from '#platform/transcripts/segments.ts'
import type { TranscriptMeasures } from '#platform/transcripts/measure-transcript.ts'
import type { TranscriptEnd } from '#platform/transcripts/write-transcript.ts'
import { noLease } from './leases.ts'
import { recordStatusChange } from './record-status-change.ts'
import { requeueRuns } from './retry-runs.ts'
import type { Infrastructure } from './run-failure.ts'
import { toStorableText } from './storable-text.ts'
import { notifyFinishedRequests } from './notify-finished-requests.ts'

/** How a run ended, as its worker saw it. Durations are in seconds, null for a phase the run did not reach. */
export type RunEnding = {
  status: 'completed' | 'errored' | 'canceled'
  statusReason: string | null
  /** Set if infrastructure ended the attempt, with the status `errored`. */
  infrastructure?: Infrastructure | null
  tests: TestCapture[]
  transcript: TranscriptEnd | null
  testAwareEvidenceSeq: number | null
  /** The files that the agent changed; null or absent if they were not compared. */
  changes?: WrittenChanges | null
  agentExitCode?: number | null
  /** The digest of the image that the run used; absent if it used none. */
  imageDigest?: string | null
  wallSeconds: number | null
  /** How long the worker held the run, by a monotonic clock. This is what is charged. */
  heldSeconds: number
  timeBudgetSeconds: number | null
  timeLimitHit: boolean
  /** What the model gateway measured; absent for a run without it. */
  models?: ModelUse | null
}

/** The model calls of a run. `costUsd` is null if the price of one of them is unknown. */
export type ModelUse = {
  calls: number
  inputTokens: number
  outputTokens: number
  costUsd: number | null
  hasEstimates: boolean
  limitUsd: number | null
  limitHit: CostLimitScope | null
}

/**
 * Writes the end of a run in one transaction: status, counts, measurements, tests, transcript, history, the outbox row
 * for analytics, and the notification to the submitter if it was the last run. If infrastructure ended the attempt and
 * the run has retries left, requeues the run instead. Returns false and writes nothing if the worker no longer holds the
 * run.
 */
export async function settleRun(
  { db, blobs }: Pick<Services, 'db' | 'blobs'>,
  run: RunAttempt & { organizationId: string },
  ending: RunEnding,
): Promise<boolean> {
  const merged = ending.transcript ? await mergeSegments(blobs, run, ending.transcript.segments) : null
  const settled = await db.transaction(async (tx) => {
    const held = await lockHeld(tx, run)
    if (!held) return null
    if (mayTryAgain(held, ending)) return { isOver: false, droppedKeys: await tryAgain(tx, run.runId, held, ending) }
    // Cancel has already reported this run as canceled, so it must not end as completed.
    const shown = held.cancelRequestedAt ? asCanceled(ending) : ending
    await writeEnding(tx, run.runId, shown)
    await recordTests(tx, run.runId, ending.tests)
    if (merged) await swapSegments(tx, run, merged.segments)
    if (ending.changes) await recordChanges(tx, run, ending.changes)
    await recordStatusChange(tx, [run.runId], shown.infrastructure?.cause)
    await recordUsage(tx, run.runId, chargedSeconds(ending))
    await tx.insert(analyticsOutbox).values({ organizationId: run.organizationId, runId: run.runId })
    await notifyFinishedRequests(tx, new Set([held.requestId]))
    return { isOver: true, droppedKeys: [] }
  })
  if (merged) await deleteUnnamed({ db, blobs }, run.runId, [...merged.obsoleteKeys, ...merged.createdKeys])
  await Promise.all((settled?.droppedKeys ?? []).map((key) => blobs.delete(key)))
  if (!settled?.isOver || run.attempt > 1) await deleteUnrecordedChanges({ db, blobs }, run)
  return settled !== null
}

type Held = NonNullable<Awaited<ReturnType<typeof lockHeld>>>

async function lockHeld(tx: Database, { runId, attempt }: RunAttempt) {
  const { cancelRequestedAt, requestId, losses, retries, spendKind } = runs
  const [held] = await tx
    .select({ cancelRequestedAt, requestId, losses, retries, spendKind })
    .from(runs)
    .where(and(eq(runs.id, runId), eq(runs.attempt, attempt), eq(runs.status, 'running')))
    .for('update')
  return held
}

const mayTryAgain = ({ cancelRequestedAt, losses, retries }: Held, { infrastructure }: RunEnding) =>
  cancelRequestedAt === null && infrastructure?.isTransient === true && losses < retries

/** Charges what the attempt used, and returns the run to the queue. */
async function tryAgain(tx: Database, runId: string, { losses, spendKind }: Held, ending: RunEnding) {
  const { models, transcript, infrastructure, statusReason } = ending
  const reported = models && spendKind !== 'byok' ? null : transcript?.measures.costUsd
  await tx
    .update(runs)
    .set({
      earlierSeconds: sql`${runs.earlierSeconds} + ${chargedSeconds(ending)}::float8`,
      earlierCostUsd: sql`${runs.earlierCostUsd} + ${models?.costUsd ?? reported ?? 0}::float8`,
    })
    .where(eq(runs.id, runId))
  const reason = toStorableText(statusReason ?? 'The attempt ended without a reason')
  return requeueRuns(tx, [runId], { reason, cause: infrastructure?.cause ?? null, losses })
}

/** Seconds of an attempt that the platform itself ended are free. While a provider fails, the agent works all the same. */
const chargedSeconds = ({ infrastructure, heldSeconds }: RunEnding) =>
  !infrastructure || infrastructure.cause === 'provider_outage' ? heldSeconds : 0

/**
 * Deletes the blobs that the run's row does not name. Reads the row first: if the answer to a commit was lost, the
 * retry is refused although the first attempt may have been written.
 */
async function deleteUnnamed({ db, blobs }: Pick<Services, 'db' | 'blobs'>, runId: string, keys: readonly string[]) {
  const rows = await db
    .select({ blobKey: transcriptSegments.blobKey })
    .from(transcriptSegments)
    .where(eq(transcriptSegments.runId, runId))
  const named = new Set(rows.map(({ blobKey }) => blobKey))
  await Promise.all(keys.filter((key) => !named.has(key)).map((key) => blobs.delete(key)))
}

const asCanceled = (ending: RunEnding): RunEnding => ({
  ...ending,
  status: 'canceled',
  statusReason: 'Canceled',
  infrastructure: null,
})

async function writeEnding(tx: Database, runId: string, ending: RunEnding) {
  const now = await clockNow(tx)
  const counts = countOutcomes(ending.tests.map((test) => test.outcome))
  await tx
    .update(runs)
    .set({
      ...noLease,
      ...ending.transcript?.measures,
      ...(ending.imageDigest && { imageDigest: ending.imageDigest }),
      ...(ending.models && measuredValues(ending.models, ending.transcript?.measures)),
      status: ending.status,
      statusReason: ending.statusReason === null ? null : toStorableText(ending.statusReason),
      infrastructureCause: ending.infrastructure?.cause ?? null,
      testsPassed: counts.passed,
      testsFailed: counts.failed,
      testsUnresolved: counts.unresolved,
      testsErrored: counts.errored,
      testsSkipped: counts.skipped,
      testAware: ending.testAwareEvidenceSeq !== null,
      testAwareEvidenceSeq: ending.testAwareEvidenceSeq,
      agentExitCode: ending.agentExitCode ?? null,
      wallSeconds: ending.wallSeconds,
      timeBudgetSeconds: ending.timeBudgetSeconds,
      timePlanCapSeconds: ending.timeBudgetSeconds === null ? null : 0,
      timeLimitHit: ending.timeLimitHit,
      endedAt: now,
      statusUpdatedAt: now,
    })
    .where(eq(runs.id, runId))
}

/** What the gateway measured takes precedence over what the agent reports. A run without calls has no measured tokens. */
function measuredValues(models: ModelUse, reported: TranscriptMeasures | undefined) {
  const { calls, inputTokens, outputTokens, costUsd } = models
  return {
    modelCallCount: calls,
    measuredCostUsd: costUsd,
    hasEstimatedTokens: models.hasEstimates,
    reportedCostUsd: reported?.costUsd ?? null,
    reportedInputTokens: reported?.inputTokens ?? null,
    reportedOutputTokens: reported?.outputTokens ?? null,
    costLimitUsd: models.limitUsd,
    costLimitHit: models.limitHit,
    ...(calls > 0 && {
      inputTokens,
      outputTokens,
      totalTokens: Math.min(inputTokens + outputTokens, maxInteger),
      costUsd: costUsd ?? reported?.costUsd ?? null,
    }),
  }
}

const maxInteger = 2_147_483_647

async function swapSegments(tx: Database, run: RunAttempt, segments: readonly Segment[]) {
  await dropSegments(tx, [run.runId])
  await recordSegments(tx, run, segments)
}
