import { z } from 'zod'

import type { Outcome } from '#contract/outcomes.ts'
import { outcomeOf } from './outcome-words.ts'
import type { ReportCase, ReportReading } from './report-case.ts'
import { readCount } from './report-count.ts'
import { parseReportJson } from './report-json.ts'
import { readTime } from './report-time.ts'

const lines = z
  .union([
    z.string().transform((line) => [line]),
    z.array(z.unknown()).transform((items) => items.filter((item) => typeof item === 'string')),
  ])
  .nullish()
  .catch(null)

const Ctrf = z.object({
  results: z.object({ tests: z.array(z.unknown()), summary: z.record(z.string(), z.unknown()).nullish().catch(null) }),
})

const CtrfTest = z.object({
  name: z.string(),
  status: z.string(),
  duration: z.union([z.number(), z.string()]).nullish().catch(null),
  suite: z.unknown().optional(),
  filePath: z.string().nullish().catch(null),
  line: z.number().nullish().catch(null),
  message: z.string().nullish().catch(null),
  trace: z.string().nullish().catch(null),
  stdout: lines,
  stderr: lines,
})

/** Common Test Report Format (ctrf.io): JSON, durations in milliseconds. Throws an Error with a reason. */
export function readCtrf(text: string): ReportReading {
  const report = Ctrf.safeParse(parseReportJson(text))
  if (!report.success) throw new Error('it is not a CTRF report')
  const { tests, summary } = report.data.results
  const cases = tests.map(toCase)
  return { cases, problems: summary ? disagreements(summary, cases) : [] }
}

/**
 * Parses entries one at a time and stops at the first invalid one: validation messages for millions of entries would
 * fill the memory.
 */
function toCase(entry: unknown, index: number): ReportCase {
  const { success, data: test } = CtrfTest.safeParse(entry)
  if (!success) throw new Error(`its test ${index + 1} has no name or no status`)
  const { filePath: file, line } = test
  const suites = [test.suite].flat().filter((part) => typeof part === 'string' && part !== '')
  return {
    name: test.name,
    group: suites.join(' > ') || (file ?? ''),
    place: file ? `${file}${typeof line === 'number' ? `:${line}` : ''}` : '',
    outcome: outcomeOf(test.status),
    durationMs: readTime(test.duration, 1),
    stdout: (test.stdout ?? []).join('\n'),
    stderr: [test.message, test.trace, ...(test.stderr ?? [])].filter((part) => part).join('\n'),
  }
}

/** Why the summary contradicts the tests, one sentence each. Only what could hide a failure counts. */
function disagreements(summary: Record<string, unknown>, cases: readonly ReportCase[]) {
  const counted = (...outcomes: Outcome[]) => cases.filter(({ outcome }) => outcomes.includes(outcome)).length
  const total = (name: string) => readCount(summary[name])
  const differs = (name: string, word: string, isWrong: (said: number, found: number) => boolean, found: number) => {
    const said = total(name)
    return said !== null && isWrong(said, found)
      ? [`The summary counts ${said} ${word}, but the report contains ${found}`]
      : []
  }
  const isMore = (said: number, found: number) => said > found
  const quiet = (total('skipped') ?? 0) + (total('pending') ?? 0) + (total('other') ?? 0)
  const found = counted('skipped', 'unresolved')
  return [
    ...differs('tests', 'tests', (said, found) => said !== found, cases.length),
    ...differs('passed', 'passed tests', (said, found) => said !== found, counted('passed')),
    ...differs('failed', 'failed tests', isMore, counted('failed', 'errored')),
    ...(quiet > found
      ? [`The summary counts ${quiet} skipped, pending and other tests, but the report contains ${found}`]
      : []),
  ]
}
