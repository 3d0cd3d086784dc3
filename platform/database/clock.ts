import { sql } from 'drizzle-orm'

import { toInstant } from '#platform/database/tables/columns.ts'
import type { Database } from './open-database.ts'

/**
 * The database's clock, to the microsecond: one clock for any number of servers. It never goes back: when the machine's
 * clock is set back, it goes on by a microsecond a call until that has caught up, so later changes always have later stamps.
 */
export async function clockNow(db: Database): Promise<string> {
  const { rows } = (await db.execute(sql`
    with wall as (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as at),
      tick as (select nextval('steady_clock') as at)
    select (timestamptz 'epoch' + interval '1 microsecond' *
      case when wall.at > tick.at then setval('steady_clock', wall.at) else tick.at end)::text as now
    from wall, tick`)) as unknown as { rows: { now: string }[] }
  const [row] = rows
  if (!row) throw new Error('the database told no time')
  return toInstant(row.now)
}
