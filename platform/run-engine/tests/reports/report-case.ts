import type { Outcome } from '#contract/outcomes.ts'

/** One case of a report. `group` (class, suite or file) distinguishes cases with the same name. */
export type ReportCase = {
  name: string
  group: string
  outcome: Outcome
  durationMs: number | null
  stdout: string
  stderr: string
}

/** A report can contain megabytes of cases. Each becomes a row that pages list and analytics count. */
export const maxCases = 20_000

/** Returns the first `maxCases` cases and, if there are more, one case that states the total. */
export function capCases(cases: ReportCase[]) {
  if (cases.length <= maxCases) return cases
  const problem = `The report contains ${cases.length} test cases; only the first ${maxCases} are stored`
  return [...cases.slice(0, maxCases), incompleteCase(problem)]
}

/** An errored case that reports missing cases, so that they do not go unnoticed. */
export const incompleteCase = (problem: string): ReportCase => ({
  name: 'the report is complete',
  group: '',
  outcome: 'errored',
  durationMs: null,
  stdout: '',
  stderr: problem,
})
