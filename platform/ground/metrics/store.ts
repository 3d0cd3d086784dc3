import { sql } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { analyticsOutbox } from '#platform/ground/database/tables/analytics.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'

type Unfinished = { status: 'queued' | 'waiting_for_ci' | 'running'; runs: number; age: number }

/** Runs that have not ended, by status, with the age of the oldest in seconds. */
export async function countUnfinished(db: Database): Promise<Unfinished[]> {
  const { rows } = (await db.execute(sql`
    select ${runs.status}, count(*)::int as runs,
      extract(epoch from clock_timestamp() - min(${runs.createdAt}))::float8 as age
    from ${runs} where ${runs.status} in ('queued', 'waiting_for_ci', 'running') group by 1`)) as unknown as {
    rows: Unfinished[]
  }
  return rows
}

/** Runs that wait for the analytics engine, with the age of the oldest in seconds. */
export async function countWaiting(db: Database): Promise<{ runs: number; age: number }> {
  const { rows } = (await db.execute(sql`
    select count(*)::int as runs,
      coalesce(extract(epoch from clock_timestamp() - min(${analyticsOutbox.createdAt})), 0)::float8 as age
    from ${analyticsOutbox}`)) as unknown as { rows: { runs: number; age: number }[] }
  return rows[0] ?? { runs: 0, age: 0 }
}
