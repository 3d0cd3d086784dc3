import type { ReportFormat } from '#contract/task-fields.ts'
import { createTail } from '#platform/engine/sandbox/output-tail.ts'
import { toStorableText } from '#platform/queue/run-queue/storable-text.ts'
import type { TestCapture } from '#platform/queue/run-queue/record-tests.ts'
import { plainName, withoutCounters } from './case-name.ts'
import { readCtrf } from './ctrf.ts'
import { readJunit } from './junit.ts'
import { capReading, type ReportCase, type ReportReading } from './report-case.ts'
import { reportText } from './report-text.ts'
import { readTap } from './tap.ts'
import { uniqueNames } from './unique-names.ts'

const readers: Record<ReportFormat, (text: string) => ReportReading> = {
  junit: readJunit,
  ctrf: readCtrf,
  tap: readTap,
}

/** Why a report is refused that says nothing. */
export const noCases = 'it contains no test cases'

/** The captured test of each case, and why these cases cannot be trusted alone. */
export type ReadReport = { captures: TestCapture[]; problems: string[] }

/**
 * Returns a captured test for each case, named `<test>/<group>/<case>`. Secrets are masked before and after parsing, before
 * anything is cut. Throws an Error with a reason if the report is invalid or empty.
 */
export async function readReport(
  testName: string,
  format: ReportFormat,
  report: Uint8Array | string,
  mask = (said: string) => said,
): Promise<ReadReport> {
  const reading = capReading(readers[format](mask(reportText(report))))
  const cases = reading.cases.map((entry) => cleanCase(entry, mask))
  const problems = reading.problems.map((problem) => mask(problem))
  if (cases.length === 0 && problems.length === 0) throw new Error(noCases)
  const names = uniqueNames(testName, cases)
  const captures = cases.map((entry, index) => ({
    name: toStorableText(names[index] ?? `${testName}/${index}`),
    outcome: entry.outcome,
    exitCode: null,
    durationMs: entry.durationMs,
    stdoutTail: tailOf(entry.stdout),
    stderrTail: tailOf(entry.stderr),
  }))
  return { captures, problems }
}

/** Masks again after parsing, because escaped text becomes plain only then. */
const cleanCase = (entry: ReportCase, mask: (text: string) => string): ReportCase => ({
  ...withoutCounters({ ...entry, name: plainName(mask(entry.name)) }),
  group: plainName(mask(entry.group)),
  place: plainName(mask(entry.place)),
  stdout: mask(entry.stdout),
  stderr: mask(entry.stderr),
})

const tailOf = (text: string) => {
  const tail = createTail()
  tail.push(Buffer.from(text))
  return tail.text()
}
