import type { Database } from '#platform/database/open-database.ts'
import { capturedTests } from '#platform/database/tables/captured-tests.ts'

/** One captured test as the run engine hands it over; tails are already cut and free of NUL. */
export type TestCapture = Omit<typeof capturedTests.$inferInsert, 'runId' | 'ordinal'>

const rowsPerInsert = 1000

/** Stores a run's tests in their order; part of the transaction that settles the run. */
export async function recordTests(tx: Database, runId: string, tests: readonly TestCapture[]) {
  const rows = tests.map((test, ordinal) => ({ runId, ordinal, ...test }))
  for (let start = 0; start < rows.length; start += rowsPerInsert)
    await tx.insert(capturedTests).values(rows.slice(start, start + rowsPerInsert))
}
