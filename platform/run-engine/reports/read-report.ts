import type { ReportFormat } from '#contract/definition.ts'
import type { Outcome } from '#contract/outcomes.ts'
import { keepTail } from '#platform/run-engine/output-tail.ts'
import { toStorableText } from '#platform/run-engine/storable-text.ts'
import type { TestCapture } from '#platform/tests/record-tests.ts'
import { readCtrf } from './ctrf.ts'
import { readJunit } from './junit.ts'
import { readTap } from './tap.ts'

/** One case of a report; `group` (class, suite or file) tells cases of the same name apart. */
export type ReportCase = {
  name: string
  group: string
  outcome: Outcome
  durationMs: number | null
  stdout: string
  stderr: string
}

const readers: Record<ReportFormat, (text: string) => ReportCase[] | Promise<ReportCase[]>> = {
  junit: readJunit,
  ctrf: readCtrf,
  tap: readTap,
}

/** A captured test for each case, named `<test>/<case>`. Throws with a reason when the report is no such report or empty. */
export async function readReport(testName: string, format: ReportFormat, text: string): Promise<TestCapture[]> {
  const cases = await readers[format](text)
  if (cases.length === 0) throw new Error('it holds no test case')
  const names = uniqueNames(cases)
  return cases.map((entry, index) => ({
    name: toStorableText(`${testName}/${names[index] ?? index}`),
    outcome: entry.outcome,
    exitCode: null,
    durationMs: entry.durationMs,
    stdoutTail: tailOf(entry.stdout),
    stderrTail: tailOf(entry.stderr),
  }))
}

const tailOf = (text: string) => {
  const tail = keepTail()
  tail.push(Buffer.from(text))
  return tail.text()
}

/** A test is addressed by its name, so no two may share one: the group comes before, and a number after where that is not enough. */
function uniqueNames(cases: readonly ReportCase[]) {
  const uses = Map.groupBy(cases, (entry) => entry.name)
  const seen = new Map<string, number>()
  return cases.map(({ name, group }) => {
    const isShared = (uses.get(name)?.length ?? 0) > 1
    const full = isShared && group !== '' ? `${group}/${name}` : name
    const count = (seen.get(full) ?? 0) + 1
    seen.set(full, count)
    return count === 1 ? full : `${full} #${count}`
  })
}
