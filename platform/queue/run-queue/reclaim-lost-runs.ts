import { and, asc, eq, inArray, isNotNull, not, notInArray, or, type SQL, sql } from 'drizzle-orm'

import { someAtOnce } from '#platform/ground/blobs/some-at-once.ts'
import type { Services } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { ciBuilds, runs } from '#platform/ground/database/tables/runs.ts'
import { isBuild } from './claim-builds.ts'
import { endUnstartedRuns } from './end-unstarted-runs.ts'
import { noLease } from './leases.ts'
import { runsInParts } from './record-tests-in-parts.ts'
import { requeueRuns } from './retry-runs.ts'
import { retryBuild } from './settle-build.ts'
import { notifyFinishedRequests } from './notify-finished-requests.ts'
import type { Heartbeat } from './watch-leases.ts'

/**
 * The claims to reclaim:
 * - `heartbeats`: claims whose heartbeat has stopped;
 * - `workerIds`: all claims of workers known to be dead;
 * - `unknownTo`: claims that a worker made without learning of it, because it holds only `runIds` and the builds of
 * `requestIds`;
 * - `all`: every claim. The caller holds the exclusive lock of the data directory, so every earlier worker is dead.
 */
type LostWorkers =
  | 'all'
  | { heartbeats: readonly Heartbeat[] }
  | { workerIds: readonly string[] }
  | { unknownTo: string; runIds: readonly string[]; requestIds: readonly string[] }

/** `givesUp` is false if the loss is not the run's fault, for example after an orderly stop of its worker. */
type Lost = { workers: LostWorkers; reason?: string; givesUp?: boolean }

const runsPerTransaction = 200

/**
 * Returns the runs and builds of lost workers to the queue and deletes what the lost attempt left behind. A loss beyond
 * the run's retries ends it as `errored` and keeps the transcript so far. Returns how many runs it requeued or ended.
 */
export async function reclaimLostRuns(
  services: Pick<Services, 'db' | 'blobs'>,
  { workers, reason = 'The worker was lost', givesUp = true }: Lost,
): Promise<number> {
  const lost = { workers, reason, givesUp }
  await reclaimBuilds(services.db, lost)
  let total = 0
  for (;;) {
    const { count, blobKeys } = await services.db.transaction((tx) => reclaimSome(tx, lost, runsInParts(services.db)))
    await someAtOnce(blobKeys, (key) => services.blobs.delete(key))
    total += count
    if (count < runsPerTransaction) return total
  }
}

async function reclaimSome(tx: Database, { workers, reason, givesUp }: Required<Lost>, kept: readonly string[]) {
  const lost = await tx
    .select({ id: runs.id, losses: runs.losses, retries: runs.retries, cancelRequestedAt: runs.cancelRequestedAt })
    .from(runs)
    .where(and(eq(runs.status, 'running'), isLost(workers, runs), notInArray(runs.id, [...kept])))
    .orderBy(asc(runs.id))
    .limit(runsPerTransaction)
    .for('update', { skipLocked: true })
  const canceled = lost.filter((run) => run.cancelRequestedAt)
  const isLastLoss = (run: { losses: number; retries: number }) => givesUp && run.losses >= run.retries
  const abandoned = lost.filter((run) => !run.cancelRequestedAt && isLastLoss(run))
  const again = lost.filter((run) => !run.cancelRequestedAt && !isLastLoss(run))

  const stopped = await endUnstartedRuns(tx, idsOf(canceled), { status: 'canceled', reason: 'Canceled' })
  let lostForGood = new Set<string>()
  for (const [losses, lost] of Map.groupBy(abandoned, (run) => run.losses + 1)) {
    const times = losses === 1 ? reason : `${reason} ${losses} times`
    const ending = { status: 'errored' as const, reason: times, cause: 'worker_lost' as const }
    lostForGood = lostForGood.union(await endUnstartedRuns(tx, idsOf(lost), ending))
  }
  const blobKeys: string[] = []
  const cause = givesUp ? ('worker_lost' as const) : null
  for (const [losses, some] of Map.groupBy(again, (run) => run.losses))
    blobKeys.push(...(await requeueRuns(tx, idsOf(some), { reason, cause, losses })))
  await notifyFinishedRequests(tx, stopped.union(lostForGood))
  return { count: lost.length, blobKeys }
}

const idsOf = (lost: readonly { id: string }[]) => lost.map((run) => run.id)

async function reclaimBuilds(db: Database, { workers, reason, givesUp }: Required<Lost>) {
  await db.transaction(async (tx) => {
    const lost = await tx
      .select()
      .from(ciBuilds)
      .where(and(eq(ciBuilds.status, 'running'), isLost(workers, ciBuilds)))
      .for('update', { skipLocked: true })
    let failed = new Set<string>()
    for (const build of lost) {
      if (givesUp) failed = failed.union(await retryBuild(tx, build, { reason, cause: 'worker_lost', outputTail: '' }))
      else
        await tx
          .update(ciBuilds)
          .set({ ...noLease, status: 'queued' })
          .where(isBuild(build))
    }
    await notifyFinishedRequests(tx, failed)
  })
}

function isLost(workers: LostWorkers, table: typeof runs | typeof ciBuilds): SQL | undefined {
  if (workers === 'all') return isNotNull(table.leaseOwner)
  if ('workerIds' in workers) return inArray(table.leaseOwner, [...workers.workerIds])
  if ('heartbeats' in workers)
    return or(
      sql`false`,
      ...workers.heartbeats.map(({ leaseOwner, leaseExpiresAt }) =>
        and(eq(table.leaseOwner, leaseOwner), eq(table.leaseExpiresAt, leaseExpiresAt)),
      ),
    )
  const isKnown =
    table === runs ? inArray(runs.id, [...workers.runIds]) : inArray(ciBuilds.requestId, [...workers.requestIds])
  return and(eq(table.leaseOwner, workers.unknownTo), not(isKnown))
}
