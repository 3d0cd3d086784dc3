import { and, eq, inArray } from 'drizzle-orm'

import type { Database } from '#platform/database/open-database.ts'
import { ciBuilds, runs } from '#platform/runs/tables.ts'
import { leaseFrom, type Worker } from './leases.ts'

/** Names one claim: a run or a build, and the attempt it was claimed with. */
export const runClaim = (id: string, attempt: number) => `run ${id} ${attempt}`
export const buildClaim = (requestId: string, environment: string, attempt: number) =>
  `build ${requestId} ${environment} ${attempt}`

export type HeldClaims = { held: Set<string>; canceled: Set<string> }

/** The heartbeat of everything a worker holds. What is missing from `held` was lost; `canceled` was asked to stop. */
export async function renewLeases(
  db: Database,
  worker: Worker,
  holding: { runIds: readonly string[]; requestIds: readonly string[] },
): Promise<HeldClaims> {
  const renewedRuns =
    holding.runIds.length === 0
      ? []
      : await db
          .update(runs)
          .set(leaseFrom(worker))
          .where(
            and(
              inArray(runs.id, [...holding.runIds]),
              eq(runs.leaseOwner, worker.workerId),
              eq(runs.status, 'running'),
            ),
          )
          .returning({ id: runs.id, attempt: runs.attempt, cancelRequestedAt: runs.cancelRequestedAt })
  const renewedBuilds =
    holding.requestIds.length === 0
      ? []
      : await db
          .update(ciBuilds)
          .set(leaseFrom(worker))
          .where(
            and(
              inArray(ciBuilds.requestId, [...holding.requestIds]),
              eq(ciBuilds.leaseOwner, worker.workerId),
              eq(ciBuilds.status, 'running'),
            ),
          )
          .returning()
  return {
    held: new Set([
      ...renewedRuns.map((run) => runClaim(run.id, run.attempt)),
      ...renewedBuilds.map((build) => buildClaim(build.requestId, build.environment, build.attempt)),
    ]),
    canceled: new Set(renewedRuns.filter((run) => run.cancelRequestedAt).map((run) => runClaim(run.id, run.attempt))),
  }
}
