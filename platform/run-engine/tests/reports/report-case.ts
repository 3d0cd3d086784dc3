import type { Outcome } from '#contract/outcomes.ts'

/** One case of a report; `group` (class, suite or file) tells cases of the same name apart. */
export type ReportCase = {
  name: string
  group: string
  outcome: Outcome
  durationMs: number | null
  stdout: string
  stderr: string
}

/** A report may hold megabytes of cases, and each one is a row that pages list and analytics count. */
export const maxCases = 20_000

/** The first ones, and one that says how many there were. */
export function capped(cases: ReportCase[]) {
  if (cases.length <= maxCases) return cases
  const problem = `The report holds ${cases.length} test cases; only the first ${maxCases} are kept`
  return [...cases.slice(0, maxCases), shortfall(problem)]
}

/** Cases that never reported must not look as if there were none: the shortfall is a case of its own. */
export const shortfall = (problem: string): ReportCase => ({
  name: 'the report is complete',
  group: '',
  outcome: 'errored',
  durationMs: null,
  stdout: '',
  stderr: problem,
})
