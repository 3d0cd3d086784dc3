import { isOfDefinition } from '#contract/infrastructure.ts'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'

import { analyticsOutbox } from '#platform/ground/database/tables/analytics.ts'
import { someAtOnce } from '#platform/ground/blobs/some-at-once.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { recordUsage } from '#platform/inputs/credits/record-usage.ts'
import { steadyNow } from '#platform/ground/database/clock.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { givenRows, setFromGiven } from '#platform/ground/database/rows-as-json.ts'
import { runs, runStatusChanges, transcriptSegments } from '#platform/ground/database/tables/runs.ts'
import { deleteUnrecordedChanges, recordChanges } from '#platform/queue/changes/record-changes.ts'
import { recordTests } from './record-tests.ts'
import { mergeSegments } from '#platform/queue/transcripts/merge-segments.ts'
import { dropSegments, recordSegments } from '#platform/queue/transcripts/record-segments.ts'
import { keysOf, type RunAttempt } from '#platform/queue/transcripts/segments.ts'
import { endingValues } from './ending-values.ts'
import { hasManyTests, recordTestsInParts } from './record-tests-in-parts.ts'
import { nextSeq } from './record-status-change.ts'
import { requeueRuns } from './retry-runs.ts'
import type { RunEnding } from './run-ending.ts'
import { toStorableText } from './storable-text.ts'
import { notifyFinishedRequests } from './notify-finished-requests.ts'

export type EndedRun = { run: RunAttempt & { organizationId: string }; ending: RunEnding }

type Prepared = EndedRun & { merged: Awaited<ReturnType<typeof mergeSegments>> | null }

/** What the transaction did with an attempt. It wrote nothing if the worker no longer holds the run. */
type Settled = { isHeld: boolean; isOver: boolean; droppedKeys: string[] }

/** Settles one run: see `settleRuns`. Others use an embedded database while very many tests are inserted. */
export async function settleRun(
  services: Pick<Services, 'db' | 'blobs'>,
  run: EndedRun['run'],
  ending: RunEnding,
): Promise<boolean> {
  if (!hasManyTests(services.db, ending)) return (await settleRuns(services, [{ run, ending }]))[0] ?? false
  const prepared = await withMerged(services, { run, ending })
  let settled: (Prepared & Settled)[] = []
  await recordTestsInParts(services.db, { runId: run.runId, tests: ending.tests }, async (tx) => {
    settled = await settle(tx, [prepared], { hasTests: true })
    return settled.some(({ isOver }) => isOver)
  })
  await Promise.all(settled.map((each) => deleteLeftovers(services, each)))
  return settled.some(({ isHeld }) => isHeld)
}

/**
 * Writes the ends of runs in one transaction: status, counts, measurements, tests, transcript, history, the outbox row
 * for analytics, and the notification to the submitter if it was the last run. A run that infrastructure ended and
 * that has retries left is requeued instead. Returns in the same order whether each was written: nothing is written for
 * a run that the worker no longer holds.
 */
export async function settleRuns(
  services: Pick<Services, 'db' | 'blobs'>,
  ended: readonly EndedRun[],
): Promise<boolean[]> {
  const prepared = await Promise.all(ended.map((each) => withMerged(services, each)))
  const settled = await services.db.transaction((tx) => settle(tx, prepared))
  await Promise.all(settled.map((each) => deleteLeftovers(services, each)))
  return settled.map(({ isHeld }) => isHeld)
}

const withMerged = async ({ blobs }: Pick<Services, 'blobs'>, { run, ending }: EndedRun): Promise<Prepared> => ({
  run,
  ending,
  merged: ending.transcript ? await mergeSegments(blobs, run, ending.transcript.segments) : null,
})

async function settle(
  tx: Database,
  prepared: readonly Prepared[],
  { hasTests = false } = {},
): Promise<(Prepared & Settled)[]> {
  const heldRuns = await lockHeld(
    tx,
    prepared.map(({ run }) => run.runId),
  )
  const over: Prepared[] = []
  const requestIds = new Set<string>()
  const settled: (Prepared & Settled)[] = []
  for (const each of prepared) {
    const held = heldRuns.get(each.run.runId)
    const isHeld = held?.attempt === each.run.attempt
    const mayContinue = isHeld && mayTryAgain(held, each.ending)
    settled.push({
      ...each,
      isHeld,
      isOver: isHeld && !mayContinue,
      droppedKeys: mayContinue ? await tryAgain(tx, each.run.runId, held, each.ending) : [],
    })
    if (!isHeld || mayContinue) continue
    // Cancel has already reported this run as canceled, so it must not end as completed.
    over.push(held.cancelRequestedAt ? { ...each, ending: asCanceled(each.ending) } : each)
    requestIds.add(held.requestId)
  }
  if (over.length > 0) await endRuns(tx, over, { hasTests })
  await notifyFinishedRequests(tx, requestIds)
  return settled
}

async function endRuns(tx: Database, over: readonly Prepared[], { hasTests }: { hasTests: boolean }) {
  await writeEndings(tx, over)
  const tests = over.map(({ run, ending }) => ({ runId: run.runId, tests: ending.tests }))
  if (!hasTests) await recordTests(tx, tests)
  await writeSegments(tx, over)
  for (const { run, ending } of over) if (ending.changes) await recordChanges(tx, run, ending.changes)
  await recordUsage(
    tx,
    over.map(({ run, ending }) => ({ runId: run.runId, seconds: chargedSeconds(ending) })),
  )
}

type Held = {
  attempt: number
  cancelRequestedAt: string | null
  requestId: string
  losses: number
  retries: number
  spendKind: string
}

/** In the order of ids, like every other statement that locks several runs. */
async function lockHeld(tx: Database, runIds: readonly string[]): Promise<ReadonlyMap<string, Held>> {
  const { id, attempt, cancelRequestedAt, requestId, losses, retries, spendKind } = runs
  const held = await tx
    .select({ id, attempt, cancelRequestedAt, requestId, losses, retries, spendKind })
    .from(runs)
    .where(and(inArray(runs.id, [...runIds]), eq(runs.status, 'running')))
    .orderBy(asc(runs.id))
    .for('update')
  return new Map(held.map((run) => [run.id, run]))
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
  !infrastructure || infrastructure.cause === 'provider_outage' || isOfDefinition(infrastructure.cause)
    ? heldSeconds
    : 0

/**
 * Writes the ends with their history and their rows for analytics: one statement for all runs whose endings set the same
 * columns, which is nearly always all of them.
 */
async function writeEndings(tx: Database, over: readonly Prepared[]) {
  const rows = over.map(({ run, ending }) => ({ id: run.runId, ...endingValues(ending) }))
  for (const [, some] of Map.groupBy(rows, (row) => Object.keys(row).join(' '))) {
    const keys = Object.keys(some[0] ?? {})
    const given = givenRows(runs, keys, some)
    const changed = setFromGiven(keys.filter((key) => key !== 'id'))
    await tx.execute(sql`
      with clock as materialized (${steadyNow}), ended as (
        update ${runs} set ${changed}, ended_at = clock.now, status_updated_at = clock.now
        from clock, ${given} where ${runs.id} = given.id
        returning ${runs.id}, ${runs.organizationId}, ${runs.status}, ${runs.statusReason}, ${runs.infrastructureCause},
          ${runs.attempt}, ${runs.endedAt}
      ), history as (
        insert into ${runStatusChanges} (run_id, seq, status, reason, infrastructure_cause, attempt, at)
        select id, ${nextSeq(sql`ended.id`)}, status, status_reason, infrastructure_cause, attempt, ended_at from ended
      )
      insert into ${analyticsOutbox} (organization_id, run_id) select organization_id, id from ended`)
  }
}

async function writeSegments(tx: Database, over: readonly Prepared[]) {
  const written = over.flatMap(({ run, ending, merged }) =>
    merged ? [{ run, ending, segments: merged.segments }] : [],
  )
  const replaced = written.filter(({ ending }) => ending.transcript?.isPublished !== false)
  await dropSegments(
    tx,
    replaced.map(({ run }) => run.runId),
  )
  await recordSegments(tx, written)
}

async function deleteLeftovers({ db, blobs }: Pick<Services, 'db' | 'blobs'>, settled: Prepared & Settled) {
  const { run, ending, merged, isHeld, isOver, droppedKeys } = settled
  const unsure = merged ? [...merged.obsoleteKeys, ...merged.createdKeys] : []
  // Nobody else knows of what was not published before.
  if (!isHeld && ending.transcript) unsure.push(...keysOf(ending.transcript.segments))
  if (unsure.length > 0) await deleteUnnamed({ db, blobs }, run.runId, unsure)
  await someAtOnce(droppedKeys, (key) => blobs.delete(key))
  if (!isOver || run.attempt > 1) await deleteUnrecordedChanges({ db, blobs }, run)
}

/**
 * Deletes the blobs that the run's row does not name. Reads the row first: if the answer to a commit was lost, the
 * retry is refused although the first attempt may have been written.
 */
async function deleteUnnamed({ db, blobs }: Pick<Services, 'db' | 'blobs'>, runId: string, keys: readonly string[]) {
  const rows = await db
    .select({ blobKey: transcriptSegments.blobKey, imageKeys: transcriptSegments.imageKeys })
    .from(transcriptSegments)
    .where(eq(transcriptSegments.runId, runId))
  const named = new Set(keysOf(rows))
  await someAtOnce(
    keys.filter((key) => !named.has(key)),
    (key) => blobs.delete(key),
  )
}

const asCanceled = (ending: RunEnding): RunEnding => ({
  ...ending,
  status: 'canceled',
  statusReason: 'Canceled',
  infrastructure: null,
})
