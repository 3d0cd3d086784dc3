import { sql } from 'drizzle-orm'

import { analyticsOutbox } from '#platform/ground/database/tables/analytics.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { columnNames, givenRows } from '#platform/ground/database/rows-as-json.ts'
import { runRequests, runs, runStatusChanges } from '#platform/ground/database/tables/runs.ts'

export type EndedRun = typeof runs.$inferInsert

/** Few enough that a statement does not hold up the thread of an embedded database. */
const rowsPerStatement = 100

/** Inserts a request whose runs have already ended. A stored request stays unchanged. */
export const recordRequestOnce = (tx: Database, request: typeof runRequests.$inferInsert) =>
  tx.insert(runRequests).values(request).onConflictDoNothing()

/**
 * Stores ended runs with their status history, and adds them to the analytics outbox in the same transaction. All rows
 * have the same fields.
 */
export async function recordEndedRuns(tx: Database, rows: readonly EndedRun[]) {
  const [first] = rows
  if (!first) return
  const fields = Object.keys(first)
  if (rows.some((row) => Object.keys(row).length !== fields.length || fields.some((field) => !(field in row))))
    throw new Error('The rows of ended runs have different fields')
  const names = columnNames(fields)
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    const given = givenRows(runs, fields, rows.slice(start, start + rowsPerStatement))
    await tx.execute(sql`
      with inserted as (
        insert into ${runs} (${names}) select ${names} from ${given}
        returning id, organization_id, status, status_reason, started_at, status_updated_at
      ),
      history as (
        insert into ${runStatusChanges} (run_id, seq, status, reason, attempt, at)
        select id, 1, 'running', null, 1, started_at from inserted where started_at is not null
        union all
        select id, case when started_at is null then 1 else 2 end, status, status_reason, 1, status_updated_at from inserted
      )
      insert into ${analyticsOutbox} (organization_id, run_id) select organization_id, id from inserted`)
  }
}
