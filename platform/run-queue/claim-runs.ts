import { and, asc, eq, inArray, notInArray, sql } from 'drizzle-orm'

import { clockNow } from '#platform/database/clock.ts'
import type { Database } from '#platform/database/open-database.ts'
import { runs } from '#platform/database/tables/runs.ts'
import { leaseFrom, type Worker } from './leases.ts'
import { recordStatusChange } from './record-status-change.ts'

export type RunRow = typeof runs.$inferSelect

/**
 * Takes up to `count` queued runs for one worker only: rows another worker is just taking are skipped. Each comes from the
 * organization that has the fewest runs going, the oldest first, so that a long queue of one holds up no other. The returned
 * `attempt` is the fencing token every later write must name.
 */
export async function claimRuns(db: Database, worker: Worker, count: number): Promise<RunRow[]> {
  return db.transaction(async (tx) => {
    const ids = await lockNext(tx, count)
    if (ids.length === 0) return []
    const now = await clockNow(tx)
    const claimed = await tx
      .update(runs)
      .set({
        ...leaseFrom(worker),
        status: 'running',
        statusReason: null,
        attempt: sql`${runs.attempt} + 1`,
        startedAt: now,
        statusUpdatedAt: now,
      })
      .where(inArray(runs.id, ids))
      .returning()
    await recordStatusChange(tx, ids)
    return claimed
  })
}

async function lockNext(tx: Database, count: number): Promise<string[]> {
  const waiting = await findWaiting(tx)
  const locked: string[] = []
  while (locked.length < count) {
    const next = leastBusy(waiting)
    if (!next) break
    // Alone in the queue an organization may have every free slot, in one statement.
    const wanted = waiting.length === 1 ? count - locked.length : 1
    const ids = await lockOldest(tx, next.organizationId, { wanted, except: locked })
    locked.push(...ids)
    next.running += ids.length
    if (ids.length < wanted) waiting.splice(waiting.indexOf(next), 1)
  }
  return locked
}

/** `since` in seconds: when its oldest queued run was queued. */
type Waiting = { organizationId: string; running: number; since: number }

/** Organizations with queued runs, found by hopping along the index: the length of their queues does not matter. */
async function findWaiting(tx: Database): Promise<Waiting[]> {
  const { rows } = (await tx.execute(sql`
    with recursive waiting (organization) as (
      (select organization_id from runs where status = 'queued' order by organization_id limit 1)
      union all
      select (
        select organization_id from runs
        where status = 'queued' and organization_id > waiting.organization order by organization_id limit 1
      )
      from waiting where organization is not null
    )
    select
      organization as "organizationId",
      (select count(*)::int from runs where status = 'running' and organization_id = organization) as running,
      (select extract(epoch from min(created_at))::float8 from runs where status = 'queued' and organization_id = organization) as since
    from waiting where organization is not null`)) as unknown as { rows: Waiting[] }
  return rows
}

/** Of those with the fewest runs going, the one that has waited longest. */
const leastBusy = (waiting: readonly Waiting[]) =>
  waiting.toSorted((a, b) => a.running - b.running || a.since - b.since)[0]

type Choice = { wanted: number; except: string[] }

async function lockOldest(tx: Database, organizationId: string, { wanted, except }: Choice): Promise<string[]> {
  const isQueued = and(eq(runs.status, 'queued'), eq(runs.organizationId, organizationId))
  const found = await tx
    .select({ id: runs.id })
    .from(runs)
    // Rows locked by ourselves are not skipped.
    .where(except.length > 0 ? and(isQueued, notInArray(runs.id, except)) : isQueued)
    .orderBy(asc(runs.createdAt), asc(runs.id))
    .limit(wanted)
    .for('update', { skipLocked: true })
  return found.map(({ id }) => id)
}
