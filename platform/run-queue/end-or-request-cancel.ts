import { and, asc, eq, inArray, notExists, sql } from 'drizzle-orm'

import { clockNow } from '#platform/database/clock.ts'
import type { Database } from '#platform/database/open-database.ts'
import { ciBuilds, runs } from '#platform/database/tables/runs.ts'
import { endUnstartedRuns } from './end-unstarted-runs.ts'
import { notifyFinishedRequests } from './notify-finished-requests.ts'

/** Selects every run of a request, or only the runs with these UUIDs. UUIDs of other requests are ignored. */
export type CancelSelection = { requestId: string; runIds?: readonly string[] | undefined }

/** Like `cancelRunIdsOf`, but returns only how many. */
export const cancelRunsOf = async (tx: Database, selection: CancelSelection): Promise<number> =>
  (await cancelRunIdsOf(tx, selection)).length

/**
 * Cancels the non-terminal runs of a request. Waiting runs end at once; running ones end when their worker has killed
 * them (call `wakeRunEngine` after the commit). Returns the runs that this call canceled or newly asked to stop.
 * Call it inside a transaction, after checking that the caller owns the request.
 */
export async function cancelRunIdsOf(tx: Database, { requestId, runIds }: CancelSelection): Promise<string[]> {
  // Lock builds before runs, in the same order as settling a build does. This prevents a deadlock.
  await tx
    .select({ environment: ciBuilds.environment })
    .from(ciBuilds)
    .where(eq(ciBuilds.requestId, requestId))
    .orderBy(asc(ciBuilds.environment))
    .for('update')
  const live = await tx
    .select({
      id: runs.id,
      status: runs.status,
      attempt: runs.attempt,
      cancelRequestedAt: runs.cancelRequestedAt,
    })
    .from(runs)
    .where(
      and(
        eq(runs.requestId, requestId),
        inArray(runs.status, ['queued', 'waiting_for_ci', 'running']),
        runIds ? inArray(runs.id, [...runIds]) : undefined,
      ),
    )
    .orderBy(asc(runs.id))
    .for('update')
  const running = live.filter((run) => run.status === 'running' && !run.cancelRequestedAt).map((run) => run.id)

  const notStarted = live.filter((run) => run.status !== 'running' && run.attempt === 0).map((run) => run.id)
  const between = live.filter((run) => run.status !== 'running' && run.attempt > 0).map((run) => run.id)
  const waiting = [...notStarted, ...between]

  const touched = (
    await endUnstartedRuns(tx, notStarted, { status: 'canceled', reason: 'Canceled before it started' })
  ).union(await endUnstartedRuns(tx, between, { status: 'canceled', reason: 'Canceled before its next attempt' }))
  if (running.length > 0)
    await tx
      .update(runs)
      .set({ cancelRequestedAt: await clockNow(tx) })
      .where(inArray(runs.id, running))
  if (waiting.length > 0) await dropBuildsNobodyAwaits(tx, requestId)
  await notifyFinishedRequests(tx, touched)
  return [...waiting, ...running]
}

/** Cancels builds that no run waits for. Their worker sees that the build is no longer running and stops it. */
async function dropBuildsNobodyAwaits(tx: Database, requestId: string) {
  const awaiting = tx
    .select({ one: sql`1` })
    .from(runs)
    .where(
      and(
        eq(runs.requestId, ciBuilds.requestId),
        eq(runs.environment, ciBuilds.environment),
        eq(runs.status, 'waiting_for_ci'),
      ),
    )
  await tx
    .update(ciBuilds)
    .set({ status: 'failed', reason: 'Canceled', leaseOwner: null, leaseExpiresAt: null, endedAt: await clockNow(tx) })
    .where(and(eq(ciBuilds.requestId, requestId), inArray(ciBuilds.status, ['queued', 'running']), notExists(awaiting)))
}
