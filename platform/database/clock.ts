import { sql } from 'drizzle-orm'

import { toInstant } from './columns.ts'
import type { Database } from './open-database.ts'

/** The database's clock, to the microsecond: one clock for any number of servers. */
export async function clockNow(db: Database): Promise<string> {
  const { rows } = (await db.execute(sql`select clock_timestamp()::text as now`)) as unknown as {
    rows: { now: string }[]
  }
  const [row] = rows
  if (!row) throw new Error('the database told no time')
  return toInstant(row.now)
}
