import { sql } from 'drizzle-orm'

import type { RunScore } from '#contract/scores.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { columnNames, givenRows } from '#platform/ground/database/rows-as-json.ts'
import { capturedTests } from '#platform/ground/database/tables/captured-tests.ts'

/** A captured test from the run engine. Its output tails are already shortened and contain no NUL. */
export type TestCapture = Omit<typeof capturedTests.$inferInsert, 'runId' | 'ordinal'> & {
  /** The score that it gives its run, if it is a reward. */
  score?: RunScore
  /** False if the outcome of the run does not depend on it. Default: true. */
  counts?: boolean
}

type TestsOfRun = { runId: string; tests: readonly TestCapture[] }

/** A test of a run, with its place among them. */
export type TestRow = TestCapture & { runId: string; ordinal: number }

/** Few and short enough that a statement does not hold up the thread of an embedded database. */
const perInsert = { rows: 100, characters: 256 * 1024 }
const columns = ['runId', 'ordinal', 'name', 'outcome', 'exitCode', 'durationMs', 'stdoutTail', 'stderrTail']

/** Inserts the tests of runs, each run's in order. Call it in the transaction that settles the runs. */
export const recordTests = (tx: Database, ofRuns: readonly TestsOfRun[]) => insertTests(tx, ofRuns.flatMap(rowsOf))

export const rowsOf = ({ runId, tests }: TestsOfRun): TestRow[] =>
  tests.map((test, ordinal) => ({ ...test, runId, ordinal }))

export async function insertTests(tx: Database, rows: readonly TestRow[]) {
  for (const some of batchesOf(rows, perInsert)) {
    const given = givenRows(capturedTests, columns, some)
    await tx.execute(
      sql`insert into ${capturedTests} (${columnNames(columns)}) select ${columnNames(columns)} from ${given}`,
    )
  }
}

/** Each batch ends with the row that reaches a limit. */
export function* batchesOf<Row extends TestCapture>(
  rows: readonly Row[],
  limit: { rows: number; characters: number },
): Generator<Row[]> {
  let batch: Row[] = []
  let characters = 0
  for (const row of rows) {
    batch.push(row)
    characters += charactersOf(row)
    if (batch.length < limit.rows && characters < limit.characters) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

export const charactersOf = ({ stdoutTail, stderrTail }: TestCapture) => stdoutTail.length + stderrTail.length
