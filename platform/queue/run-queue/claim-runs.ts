import { sql } from 'drizzle-orm'

import { steadyNow } from '#platform/ground/database/clock.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { readRows } from '#platform/ground/database/rows-as-json.ts'
import { runs, runStatusChanges } from '#platform/ground/database/tables/runs.ts'
import type { Worker } from './leases.ts'
import { nextSeq } from './record-status-change.ts'

export type RunRow = typeof runs.$inferSelect

/**
 * Claims up to `count` queued runs for this worker; it skips rows that another worker is claiming. Each run is the
 * oldest of the organization with the fewest running runs, so a long queue of one organization delays no other. A run
 * that waits before its next attempt is skipped. Every later write must name the returned `attempt`, the fencing token.
 */
export async function claimRuns(db: Database, worker: Worker, count: number): Promise<RunRow[]> {
  return db.transaction(async (tx) => {
    let waiting = await findWaiting(tx)
    const claimed: RunRow[] = []
    while (claimed.length < count && waiting.length > 0) {
      const shares = shareSlots(waiting, count - claimed.length)
      for (const [next, wanted] of shares) {
        const found = await claimOldest(tx, worker, { organizationId: next.organizationId, wanted })
        claimed.push(...found)
        next.running += found.length
        if (found.length < wanted) waiting = waiting.filter((each) => each !== next)
      }
    }
    return claimed
  })
}

/** An organization with queued runs. `since` is when its oldest queued run was created, in seconds since the epoch. */
type Waiting = { organizationId: string; running: number; since: number }

/** Gives each slot to the organization with the fewest running runs, and of several to the one that has waited longest. */
function shareSlots(waiting: readonly Waiting[], slots: number): Map<Waiting, number> {
  const shares = new Map<Waiting, number>()
  const load = (each: Waiting) => each.running + (shares.get(each) ?? 0)
  const [alone] = waiting
  if (alone && waiting.length === 1) return shares.set(alone, slots)
  for (let slot = 0; slot < slots; slot += 1) {
    const [next] = waiting.toSorted((a, b) => load(a) - load(b) || a.since - b.since)
    if (next) shares.set(next, (shares.get(next) ?? 0) + 1)
  }
  return shares
}

/**
 * Finds organizations with queued runs by skipping along the index, so the lengths of their queues do not matter. How
 * many runs each has running matters only if several wait.
 *
 * Ranges of rows, here and in `oldestQueued`, fit the index `runs_queue` only. Where the planner believes that most runs
 * are queued, equal conditions let it choose an index of all runs, and then every claim reads all runs that have ended.
 */
async function findWaiting(tx: Database): Promise<Waiting[]> {
  const { rows } = (await tx.execute(sql`
    with recursive waiting (organization) as (
      (select organization_id from runs
        where (status, organization_id) >= ('queued', '00000000-0000-0000-0000-000000000000'::uuid) and status <= 'queued'
        order by status, organization_id limit 1)
      union all
      select (
        select organization_id from runs
        where (status, organization_id) > ('queued', waiting.organization) and status <= 'queued'
        order by status, organization_id limit 1
      )
      from waiting where organization is not null
    )
    select
      organization as "organizationId",
      case when count(*) over () > 1 then (
        select count(*)::int from runs
        where (status, organization_id) >= ('running', organization) and (status, organization_id) <= ('running', organization)
      ) else 0 end as running,
      (
        select extract(epoch from created_at)::float8 from runs
        where (status, organization_id) >= ('queued', organization) and (status, organization_id) <= ('queued', organization)
        order by status, organization_id, created_at limit 1
      ) as since
    from waiting where organization is not null`)) as unknown as { rows: Waiting[] }
  return rows
}

type Share = { organizationId: string; wanted: number }

export const oldestQueued = (organizationId: string, count: number) => sql`
  select id, attempt from runs
  where (status, organization_id) >= ('queued', ${organizationId}::uuid)
    and (status, organization_id) <= ('queued', ${organizationId}::uuid)
    and (claimable_at is null or claimable_at <= now())
  order by status, organization_id, created_at, id
  limit ${count} for update skip locked`

/** Claims the oldest runs of one organization, and adds the claims to their history. */
async function claimOldest(tx: Database, { workerId, leaseSeconds }: Worker, { organizationId, wanted }: Share) {
  const { rows } = (await tx.execute(sql`
    with next as (${oldestQueued(organizationId, wanted)}), clock as materialized (${steadyNow}), history as (
      insert into ${runStatusChanges} (run_id, seq, status, attempt, at)
      select next.id, ${nextSeq(sql`next.id`)}, 'running', next.attempt + 1, clock.now from next, clock
    )
    update ${runs} set status = 'running', status_reason = null, claimable_at = null, attempt = ${runs.attempt} + 1,
      started_at = clock.now, status_updated_at = clock.now, lease_owner = ${workerId},
      lease_expires_at = now() + make_interval(secs => ${leaseSeconds})
    from next, clock where ${runs.id} = next.id
    returning ${runs}.*`)) as unknown as { rows: Record<string, unknown>[] }
  return readRows(runs, rows)
}
