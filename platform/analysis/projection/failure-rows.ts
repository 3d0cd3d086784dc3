import { z } from 'zod'

import { failureOfTest } from '#platform/analysis/projection/signatures/failures-of-run.ts'
import { Bytes } from '#platform/ground/content/content-job.ts'
import type { findPrintedTests, FinishedRun } from './store.ts'
import { toFailureRow, toOutputRow } from './to-rows.ts'

/** `newTexts` are the outputs that no test before it had. */
export type PrintedTest = {
  run: FinishedRun
  test: Awaited<ReturnType<typeof findPrintedTests>>[number]
  newTexts: ('stdout' | 'stderr')[]
}

const Rows = z.object({ lines: Bytes, rows: z.int().min(0) })
export const FailureRows = z.object({ failures: Rows, outputs: Rows })
export type FailureRows = z.infer<typeof FailureRows>

/** Finds the failures of tests in what they printed. */
export const failureRowsOf = (tests: readonly PrintedTest[]): FailureRows => ({
  failures: lines(
    tests.flatMap(({ run, test }) => {
      const failure = failureOfTest(run, test)
      return failure ? [toFailureRow(run, failure)] : []
    }),
  ),
  outputs: lines(
    tests.flatMap(({ run, test, newTexts }) =>
      newTexts.map((stream) => toOutputRow(run, test, stream, test[`${stream}Tail`])),
    ),
  ),
})

const lines = (rows: readonly unknown[]) => ({
  lines: Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
  rows: rows.length,
})
