import { and, asc, eq, inArray } from 'drizzle-orm'

import type { Database } from '#platform/database/open-database.ts'
import { ciBuilds, runs } from '#platform/database/tables/runs.ts'
import { newLease, type Worker } from './leases.ts'

/** The name of a claim: a run or a build, and the attempt that claimed it. */
export const runClaim = (id: string, attempt: number) => `run ${id} ${attempt}`
export const buildClaim = (requestId: string, environment: string, attempt: number) =>
  `build ${requestId} ${environment} ${attempt}`

export type HeldClaims = { held: Set<string>; canceled: Set<string> }

type Holding = { runIds: readonly string[]; requestIds: readonly string[] }

/**
 * Renews every lease a worker holds. A claim missing from `held` is lost; a claim in `canceled` must stop.
 * Locks builds before runs, and each by id. A cancel locks in the same order, so the two never deadlock.
 */
export async function renewLeases(db: Database, worker: Worker, { runIds, requestIds }: Holding): Promise<HeldClaims> {
  return db.transaction(async (tx) => {
    const renewedBuilds = await renewBuilds(tx, worker, requestIds)
    const renewedRuns = await renewRuns(tx, worker, runIds)
    const claims = renewedRuns.map((run) => ({ ...run, claim: runClaim(run.id, run.attempt) }))
    return {
      held: new Set([
        ...claims.map((run) => run.claim),
        ...renewedBuilds.map((build) => buildClaim(build.requestId, build.environment, build.attempt)),
      ]),
      canceled: new Set(claims.filter((run) => run.cancelRequestedAt).map((run) => run.claim)),
    }
  })
}

async function renewRuns(tx: Database, worker: Worker, ids: readonly string[]) {
  if (ids.length === 0) return []
  const isHeld = and(inArray(runs.id, [...ids]), eq(runs.leaseOwner, worker.workerId), eq(runs.status, 'running'))
  await tx.select({ id: runs.id }).from(runs).where(isHeld).orderBy(asc(runs.id)).for('update')
  return tx
    .update(runs)
    .set(newLease(worker))
    .where(isHeld)
    .returning({ id: runs.id, attempt: runs.attempt, cancelRequestedAt: runs.cancelRequestedAt })
}

async function renewBuilds(tx: Database, worker: Worker, requestIds: readonly string[]) {
  if (requestIds.length === 0) return []
  const isHeld = and(
    inArray(ciBuilds.requestId, [...requestIds]),
    eq(ciBuilds.leaseOwner, worker.workerId),
    eq(ciBuilds.status, 'running'),
  )
  const order = [asc(ciBuilds.requestId), asc(ciBuilds.environment)]
  await tx
    .select({ environment: ciBuilds.environment })
    .from(ciBuilds)
    .where(isHeld)
    .orderBy(...order)
    .for('update')
  return tx.update(ciBuilds).set(newLease(worker)).where(isHeld).returning()
}
