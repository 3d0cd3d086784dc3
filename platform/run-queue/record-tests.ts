import type { Database } from '#platform/database/open-database.ts'
import { capturedTests } from '#platform/database/tables/captured-tests.ts'

/** A captured test from the run engine. Its output tails are already shortened and contain no NUL. */
export type TestCapture = Omit<typeof capturedTests.$inferInsert, 'runId' | 'ordinal'>

const rowsPerInsert = 1000

/** Inserts a run's tests in order. Call it in the transaction that settles the run. */
export async function recordTests(tx: Database, runId: string, tests: readonly TestCapture[]) {
  const rows = tests.map((test, ordinal) => ({ runId, ordinal, ...test }))
  for (let start = 0; start < rows.length; start += rowsPerInsert)
    await tx.insert(capturedTests).values(rows.slice(start, start + rowsPerInsert))
}
