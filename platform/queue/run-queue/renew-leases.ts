import { and, eq, inArray, sql } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { ciBuilds, runs } from '#platform/ground/database/tables/runs.ts'
import { newLease, type Worker } from './leases.ts'

/** The name of a claim: a run or a build, and the attempt that claimed it. */
export const runClaim = (id: string, attempt: number) => `run ${id} ${attempt}`
export const buildClaim = (requestId: string, environment: string, attempt: number) =>
  `build ${requestId} ${environment} ${attempt}`

export type HeldClaims = { held: Set<string>; canceled: Set<string> }

type Holding = { runIds: readonly string[]; requestIds: readonly string[] }

/**
 * Renews the leases a worker holds. A claim missing from `held` is lost; a claim in `canceled` must stop. Never waits for a
 * lock: a transaction that keeps one row for long would keep all other leases of the worker from being renewed. A lease
 * whose row is locked is renewed by a later call, and nobody reclaims it before, because that skips locked rows too.
 */
export async function renewLeases(db: Database, worker: Worker, { runIds, requestIds }: Holding): Promise<HeldClaims> {
  return db.transaction(async (tx) => {
    const heldBuilds = await renewBuilds(tx, worker, requestIds)
    const heldRuns = await renewRuns(tx, worker, runIds)
    const claims = heldRuns.map((run) => ({ ...run, claim: runClaim(run.id, run.attempt) }))
    return {
      held: new Set([
        ...claims.map((run) => run.claim),
        ...heldBuilds.map((build) => buildClaim(build.requestId, build.environment, build.attempt)),
      ]),
      canceled: new Set(claims.filter((run) => run.cancelRequestedAt).map((run) => run.claim)),
    }
  })
}

async function renewRuns(tx: Database, worker: Worker, ids: readonly string[]) {
  if (ids.length === 0) return []
  const isHeld = and(inArray(runs.id, [...ids]), eq(runs.leaseOwner, worker.workerId), eq(runs.status, 'running'))
  const free = tx.select({ id: runs.id }).from(runs).where(isHeld).for('update', { skipLocked: true })
  await tx.update(runs).set(newLease(worker)).where(inArray(runs.id, free))
  const { id, attempt, cancelRequestedAt } = runs
  return tx.select({ id, attempt, cancelRequestedAt }).from(runs).where(isHeld)
}

async function renewBuilds(tx: Database, worker: Worker, requestIds: readonly string[]) {
  if (requestIds.length === 0) return []
  const isHeld = and(
    inArray(ciBuilds.requestId, [...requestIds]),
    eq(ciBuilds.leaseOwner, worker.workerId),
    eq(ciBuilds.status, 'running'),
  )
  const { requestId, environment, attempt } = ciBuilds
  const free = tx.select({ requestId, environment }).from(ciBuilds).where(isHeld).for('update', { skipLocked: true })
  await tx
    .update(ciBuilds)
    .set(newLease(worker))
    .where(sql`(${requestId}, ${environment}) in ${free}`)
  return tx.select({ requestId, environment, attempt }).from(ciBuilds).where(isHeld)
}
