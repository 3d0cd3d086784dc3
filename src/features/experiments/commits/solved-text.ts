import type { SolvedCounts } from '#contract/outcomes.ts'
import { percent } from '#src/format/numbers.ts'

/** `30 of 40 (75 %)` */
export const solvedText = ({ solved, runs }: SolvedCounts) =>
  runs === 0 ? 'no results yet' : `${solved} of ${runs} (${percent(solved / runs, 1)})`
