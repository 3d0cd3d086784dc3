import { sql } from 'drizzle-orm'

import type { Database } from '#platform/database/open-database.ts'
import { changedSince, namesChangedSince } from './changed-since.ts'

type Changes = {
  snapshot: string
  /** Something that many answers show has changed: an experiment, or a person. */
  others: boolean
  /** Null when they are too many to name. */
  runs: { id: string; requestId: string }[] | null
}

const mostRuns = 1000

/** What changed since a snapshot, and the current snapshot; '' asks for the snapshot alone. One statement, so one moment. */
export async function findChanges(db: Database, organizationId: string, since: string): Promise<Changes> {
  if (since === '') return { snapshot: await currentSnapshot(db), others: true, runs: null }
  const { rows } = (await db.execute(sql`
    select pg_current_snapshot()::text as snapshot, ${namesChangedSince(organizationId, since)} as others,
      (select jsonb_agg(jsonb_build_object('id', changed.composite_id, 'requestId', changed.request_id)) from (
        select composite_id, request_id from runs
        where organization_id = ${organizationId} and ${changedSince(sql`changed_in`, since)}
        limit ${mostRuns + 1}) changed) as runs`)) as unknown as { rows: Changes[] }
  const [found] = rows
  if (!found) throw new Error('the database returned no snapshot')
  const runs = found.runs ?? []
  return { ...found, runs: runs.length > mostRuns ? null : runs }
}

async function currentSnapshot(db: Database) {
  const { rows } = (await db.execute(sql`select pg_current_snapshot()::text as snapshot`)) as unknown as {
    rows: { snapshot: string }[]
  }
  return rows[0]?.snapshot ?? ''
}
