import type { Outcome } from '#contract/outcomes.ts'

/**
 * One case of a report. `group` is its class, file or suites. `place` is anything else that distinguishes it from cases of
 * the same name, such as its file and line.
 */
export type ReportCase = {
  name: string
  group: string
  place: string
  outcome: Outcome
  durationMs: number | null
  stdout: string
  stderr: string
}

/**
 * What a report says: its cases, and as `problems` the sentences that say why they cannot be trusted alone. A case with
 * neither name nor group is the test itself.
 */
export type ReportReading = { cases: ReportCase[]; problems: string[] }

/** A report can contain megabytes of cases. Each becomes a row that pages list and analytics count. */
export const maxCases = 20_000
const maxProblems = 20

/** Keeps the first `maxCases` cases and the first problems, and adds a problem if there are more cases. */
export function capReading({ cases, problems }: ReportReading): ReportReading {
  const cut = cases.length > maxCases
  const tooMany = `The report contains ${cases.length} test cases; only the first ${maxCases} are stored`
  return { cases: cases.slice(0, maxCases), problems: [...(cut ? [tooMany] : []), ...problems].slice(0, maxProblems) }
}
