import { sql } from 'drizzle-orm'

import type { Database } from '#platform/database/open-database.ts'
import { changedSince, namesChangedSince } from './changed-since.ts'

/** What a reader sees. Only within one `life` of the database do two snapshots compare. */
export type Moment = { snapshot: string; life: string }

type Changes = Moment & {
  /** Something that many answers show has changed: an experiment, or a person. */
  others: boolean
  /** Null when they are too many to name. */
  runs: { id: string; requestId: string }[] | null
}

const maxRuns = 1000

/**
 * A server that crashed hands out again the numbers of transactions that were rolled back shortly before; one that was
 * replaced by its copy may do so too. Both begin with a checkpoint. The usual ones, every few minutes, do no harm.
 */
const life = sql`(select timeline_id || '/' || checkpoint_lsn from pg_control_checkpoint())`

/** What changed since a snapshot, and the current snapshot; '' asks for the snapshot alone. One statement, so one moment. */
export async function findChanges(db: Database, organizationId: string, since: string): Promise<Changes> {
  if (since === '') return { ...(await currentMoment(db)), others: true, runs: null }
  const { rows } = (await db.execute(sql`
    select pg_current_snapshot()::text as snapshot, ${life} as life, ${namesChangedSince(organizationId, since)} as others,
      (select jsonb_agg(jsonb_build_object('id', changed.composite_id, 'requestId', changed.request_id)) from (
        select composite_id, request_id from runs
        where organization_id = ${organizationId} and ${changedSince(sql`changed_in`, since)}
        limit ${maxRuns + 1}) changed) as runs`)) as unknown as { rows: Changes[] }
  const [found] = rows
  if (!found) throw new Error('the database returned no snapshot')
  const runs = found.runs ?? []
  return { ...found, runs: runs.length > maxRuns ? null : runs }
}

async function currentMoment(db: Database): Promise<Moment> {
  const { rows } = (await db.execute(
    sql`select pg_current_snapshot()::text as snapshot, ${life} as life`,
  )) as unknown as {
    rows: Moment[]
  }
  return rows[0] ?? { snapshot: '', life: '' }
}
