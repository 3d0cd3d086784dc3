import { asc, eq, inArray, sql } from 'drizzle-orm'

import type { Database } from '#platform/database/open-database.ts'
import { runs } from '#platform/runs/tables.ts'
import { leaseFrom, type Worker } from './leases.ts'
import { recordStatusChange } from './record-status-change.ts'

export type RunRow = typeof runs.$inferSelect

/**
 * Takes up to `count` queued runs, oldest first, each for one worker only: rows another worker is just taking are
 * skipped. The returned `attempt` is the fencing token every later write must name.
 */
export async function claimRuns(db: Database, worker: Worker, count: number): Promise<RunRow[]> {
  return db.transaction(async (tx) => {
    const next = await tx
      .select({ id: runs.id })
      .from(runs)
      .where(eq(runs.status, 'queued'))
      .orderBy(asc(runs.createdAt), asc(runs.id))
      .limit(count)
      .for('update', { skipLocked: true })
    if (next.length === 0) return []
    const ids = next.map((run) => run.id)
    const claimed = await tx
      .update(runs)
      .set({
        ...leaseFrom(worker),
        status: 'running',
        statusReason: null,
        attempt: sql`${runs.attempt} + 1`,
        startedAt: sql`now()`,
        statusUpdatedAt: sql`now()`,
      })
      .where(inArray(runs.id, ids))
      .returning()
    await recordStatusChange(tx, ids)
    return claimed
  })
}
