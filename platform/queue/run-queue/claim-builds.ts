import { and, asc, count, eq, isNull, lte, or, sql } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { ciBuilds, runRequests } from '#platform/ground/database/tables/runs.ts'
import { newLease, type Worker } from './leases.ts'

export type BuildRow = typeof ciBuilds.$inferSelect

export const isBuild = ({ requestId, environment }: Pick<BuildRow, 'requestId' | 'environment'>) =>
  and(eq(ciBuilds.requestId, requestId), eq(ciBuilds.environment, environment))

/**
 * Claims a queued build for this worker, or returns null. It is the oldest of the organizations with the fewest running
 * builds, as for runs. `attempt` is its fencing token.
 */
export async function claimBuild(db: Database, worker: Worker): Promise<BuildRow | null> {
  return db.transaction(async (tx) => {
    const busy = tx
      .select({ organizationId: runRequests.organizationId, running: count().as('running') })
      .from(ciBuilds)
      .innerJoin(runRequests, eq(runRequests.id, ciBuilds.requestId))
      .where(eq(ciBuilds.status, 'running'))
      .groupBy(runRequests.organizationId)
      .as('busy')
    const [next] = await tx
      .select({ requestId: ciBuilds.requestId, environment: ciBuilds.environment })
      .from(ciBuilds)
      .innerJoin(runRequests, eq(runRequests.id, ciBuilds.requestId))
      .leftJoin(busy, eq(busy.organizationId, runRequests.organizationId))
      .where(
        and(eq(ciBuilds.status, 'queued'), or(isNull(ciBuilds.claimableAt), lte(ciBuilds.claimableAt, sql`now()`))),
      )
      .orderBy(
        sql`coalesce(${busy.running}, 0)`,
        asc(ciBuilds.createdAt),
        asc(ciBuilds.requestId),
        asc(ciBuilds.environment),
      )
      .limit(1)
      .for('update', { of: ciBuilds, skipLocked: true })
    if (!next) return null
    const [claimed] = await tx
      .update(ciBuilds)
      .set({ ...newLease(worker), status: 'running', claimableAt: null, attempt: sql`${ciBuilds.attempt} + 1` })
      .where(isBuild(next))
      .returning()
    return claimed ?? null
  })
}
