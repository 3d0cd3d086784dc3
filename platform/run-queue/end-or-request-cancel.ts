import { and, asc, eq, inArray, notExists, sql } from 'drizzle-orm'

import { clockNow } from '#platform/database/clock.ts'
import type { Database } from '#platform/database/open-database.ts'
import { ciBuilds, runs } from '#platform/database/tables/runs.ts'
import { endUnstartedRuns } from './end-unstarted-runs.ts'
import { tellFinishedRequests } from './tell-finished-requests.ts'

/** Of one request: every run, or those named by their UUIDs (others of the list are ignored). */
export type CancelSelection = { requestId: string; runIds?: readonly string[] | undefined }

/**
 * Cancels the non-terminal runs of a request: waiting ones at once, running ones as soon as their worker has killed them
 * (call `wakeRunEngine` after the commit). Returns how many this call canceled or newly asked to stop.
 * The caller has checked that the request is its own; part of the caller's transaction.
 */
export async function cancelRunsOf(tx: Database, { requestId, runIds }: CancelSelection): Promise<number> {
  // Builds before runs, as settling a build locks them, each in its order: so none waits for another that waits for it.
  await tx
    .select({ environment: ciBuilds.environment })
    .from(ciBuilds)
    .where(eq(ciBuilds.requestId, requestId))
    .orderBy(asc(ciBuilds.environment))
    .for('update')
  const live = await tx
    .select({ id: runs.id, status: runs.status, cancelRequestedAt: runs.cancelRequestedAt })
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
  const waiting = live.filter((run) => run.status !== 'running').map((run) => run.id)
  const running = live.filter((run) => run.status === 'running' && !run.cancelRequestedAt).map((run) => run.id)

  const touched = await endUnstartedRuns(tx, waiting, { status: 'canceled', reason: 'Canceled before it started' })
  if (running.length > 0)
    await tx
      .update(runs)
      .set({ cancelRequestedAt: await clockNow(tx) })
      .where(inArray(runs.id, running))
  if (waiting.length > 0) await dropBuildsNobodyAwaits(tx, requestId)
  await tellFinishedRequests(tx, touched)
  return waiting.length + running.length
}

/** A worker building for nobody notices that its build is no longer running and stops. */
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
