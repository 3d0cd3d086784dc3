import { and, asc, eq, inArray, isNull, lte, notInArray, or, sql } from 'drizzle-orm'

import { clockNow } from '#platform/database/clock.ts'
import type { Database } from '#platform/database/open-database.ts'
import { runs } from '#platform/database/tables/runs.ts'
import { newLease, type Worker } from './leases.ts'
import { recordStatusChange } from './record-status-change.ts'

export type RunRow = typeof runs.$inferSelect

/**
 * Claims up to `count` queued runs for this worker; it skips rows that another worker is claiming. Each run is the
 * oldest of the organization with the fewest running runs, so a long queue of one organization delays no other. A run
 * that waits before its next attempt is skipped. Every later write must name the returned `attempt`, the fencing token.
 */
export async function claimRuns(db: Database, worker: Worker, count: number): Promise<RunRow[]> {
  return db.transaction(async (tx) => {
    const ids = await lockNext(tx, count)
    if (ids.length === 0) return []
    const now = await clockNow(tx)
    const claimed = await tx
      .update(runs)
      .set({
        ...newLease(worker),
        status: 'running',
        statusReason: null,
        claimableAt: null,
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
    // An organization alone in the queue takes every free slot in one statement.
    const wanted = waiting.length === 1 ? count - locked.length : 1
    const ids = await lockOldest(tx, next.organizationId, { wanted, except: locked })
    locked.push(...ids)
    next.running += ids.length
    if (ids.length < wanted) waiting.splice(waiting.indexOf(next), 1)
  }
  return locked
}

/** An organization with queued runs. `since` is when its oldest queued run was created, in seconds since the epoch. */
type Waiting = { organizationId: string; running: number; since: number }

/** Finds organizations with queued runs by skipping along the index, so the lengths of their queues do not matter. */
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

/** Of the organizations with the fewest running runs, returns the one that has waited longest. */
const leastBusy = (waiting: readonly Waiting[]) =>
  waiting.toSorted((a, b) => a.running - b.running || a.since - b.since)[0]

type Choice = { wanted: number; except: string[] }

async function lockOldest(tx: Database, organizationId: string, { wanted, except }: Choice): Promise<string[]> {
  const isQueued = and(
    eq(runs.status, 'queued'),
    eq(runs.organizationId, organizationId),
    or(isNull(runs.claimableAt), lte(runs.claimableAt, sql`now()`)),
  )
  const found = await tx
    .select({ id: runs.id })
    .from(runs)
    // SKIP LOCKED does not skip rows that this transaction has locked itself.
    .where(except.length > 0 ? and(isQueued, notInArray(runs.id, except)) : isQueued)
    .orderBy(asc(runs.createdAt), asc(runs.id))
    .limit(wanted)
    .for('update', { skipLocked: true })
  return found.map(({ id }) => id)
}
