import { and, asc, eq, sql } from 'drizzle-orm'

import type { Database } from '#platform/database/open-database.ts'
import { ciBuilds } from '#platform/database/tables/runs.ts'
import { newLease, type Worker } from './leases.ts'

export type BuildRow = typeof ciBuilds.$inferSelect

export const isBuild = ({ requestId, environment }: Pick<BuildRow, 'requestId' | 'environment'>) =>
  and(eq(ciBuilds.requestId, requestId), eq(ciBuilds.environment, environment))

/** Claims the oldest queued build for this worker, or returns null. `attempt` is its fencing token, as for runs. */
export async function claimBuild(db: Database, worker: Worker): Promise<BuildRow | null> {
  return db.transaction(async (tx) => {
    const [next] = await tx
      .select({ requestId: ciBuilds.requestId, environment: ciBuilds.environment })
      .from(ciBuilds)
      .where(eq(ciBuilds.status, 'queued'))
      .orderBy(asc(ciBuilds.createdAt), asc(ciBuilds.requestId), asc(ciBuilds.environment))
      .limit(1)
      .for('update', { skipLocked: true })
    if (!next) return null
    const [claimed] = await tx
      .update(ciBuilds)
      .set({ ...newLease(worker), status: 'running', attempt: sql`${ciBuilds.attempt} + 1` })
      .where(isBuild(next))
      .returning()
    return claimed ?? null
  })
}
