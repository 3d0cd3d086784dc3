import { inArray, type SQL, sql } from 'drizzle-orm'

import type { InfrastructureCause } from '#contract/infrastructure.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { runs, runStatusChanges } from '#platform/ground/database/tables/runs.ts'

const idsPerStatement = 5000

/**
 * Adds each run's current status, with its reason, attempt and time, to the run's history. Call it in the transaction
 * that changed the status or inserted the run: that transaction locks the row, so `seq` stays unique. `cause` says why
 * infrastructure ended the attempt.
 */
export async function recordStatusChange(
  tx: Database,
  runIds: readonly string[],
  cause: InfrastructureCause | null = null,
) {
  for (let start = 0; start < runIds.length; start += idsPerStatement) {
    const ids = runIds.slice(start, start + idsPerStatement)
    await tx.execute(sql`
      insert into ${runStatusChanges} (run_id, seq, status, reason, infrastructure_cause, attempt, at)
      select ${runs.id},
        ${nextSeq(sql`${runs.id}`)},
        ${runs.status}, ${runs.statusReason}, ${cause}::text, ${runs.attempt}, ${runs.statusUpdatedAt}
      from ${runs} where ${inArray(runs.id, ids)}`)
  }
}

/** The number of the next change in the history of a run, whose row the transaction has locked. */
export const nextSeq = (runId: SQL) =>
  sql`coalesce((select max(earlier.seq) from ${runStatusChanges} earlier where earlier.run_id = ${runId}), 0) + 1`
