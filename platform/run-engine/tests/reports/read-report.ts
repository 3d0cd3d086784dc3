import type { ReportFormat } from '#contract/definition.ts'
import { keepTail } from '#platform/run-engine/sandbox/output-tail.ts'
import { toStorableText } from '#platform/run-queue/storable-text.ts'
import type { TestCapture } from '#platform/run-queue/record-tests.ts'
import { readCtrf } from './ctrf.ts'
import { readJunitApart } from './junit-apart.ts'
import { capped, type ReportCase } from './report-case.ts'
import { readTap } from './tap.ts'
import { uniqueNames } from './unique-names.ts'

const readers: Record<ReportFormat, (text: string) => ReportCase[] | Promise<ReportCase[]>> = {
  junit: readJunitApart,
  ctrf: (text) => capped(readCtrf(text)),
  tap: (text) => capped(readTap(text)),
}

/** A captured test for each case, named `<test>/<case>`, masked as written and as read, before anything is cut. Throws with a reason when the report is no such report or empty. */
export async function readReport(
  testName: string,
  format: ReportFormat,
  text: string,
  mask = (said: string) => said,
): Promise<TestCapture[]> {
  const cases = (await readers[format](mask(text))).map((entry) => maskCase(entry, mask))
  if (cases.length === 0) throw new Error('it holds no test case')
  const names = uniqueNames(testName, cases)
  return cases.map((entry, index) => ({
    name: toStorableText(names[index] ?? `${testName}/${index}`),
    outcome: entry.outcome,
    exitCode: null,
    durationMs: durationOf(entry),
    stdoutTail: tailOf(entry.stdout),
    stderrTail: tailOf(entry.stderr),
  }))
}

/** What stands escaped in the report is plain only now. */
const maskCase = (entry: ReportCase, mask: (text: string) => string): ReportCase => ({
  ...entry,
  name: mask(entry.name),
  group: mask(entry.group),
  stdout: mask(entry.stdout),
  stderr: mask(entry.stderr),
})

/** A century: what is longer was never measured, and its sum over many tests would be no number any more. */
const maxMs = 100 * 365 * 24 * 3600 * 1000

/** Reports are written by the tested code: a time that cannot be is no time. */
const durationOf = ({ durationMs }: ReportCase) =>
  durationMs !== null && durationMs >= 0 && durationMs <= maxMs ? durationMs : null

const tailOf = (text: string) => {
  const tail = keepTail()
  tail.push(Buffer.from(text))
  return tail.text()
}
