import type { ChartRun } from '#contract/chart-runs.ts'
import type { ChartGroupBy } from '#contract/charts.ts'
import type { ExperimentVersion } from '#contract/experiments.ts'
import type { ChartPart } from '#src/shared/copy-as/sql-parts.ts'
import type { CompareState } from './compare-parameters.ts'
import type { PairNames } from './compare-pairs.ts'
import { type ComparedAxis, type Sides, toSides } from './compare-sides.ts'
import { type Candidate, toCandidates } from './to-candidates.ts'

type Choice = {
  compare: CompareState
  groupBy: ChartGroupBy
  versions: readonly ExperimentVersion[] | undefined
}

export const comparedAxis = ({ between }: CompareState, groupBy: ChartGroupBy): ComparedAxis =>
  between === 'versions' ? 'version' : groupBy

/**
 * The two groups in the URL. A missing group, or one without runs, is replaced with the remaining group that solves most;
 * a missing version with the newest remaining one.
 */
export function chooseCandidates(
  candidates: readonly Candidate[],
  { between, left: leftValue, right: rightValue }: CompareState,
) {
  const named = (value: string | null) => candidates.find((candidate) => candidate.value === value)
  const right = named(rightValue)
  const best =
    between === 'versions' ? candidates : candidates.toSorted((a, b) => b.solved / b.runs - a.solved / a.runs)
  const left = named(leftValue) ?? best.find((candidate) => candidate !== right)
  return { left, right: right && right !== left ? right : best.find((candidate) => candidate !== left) }
}

/** The runs of both sides as a part of the chart. */
export const partOfSides = ({ between }: CompareState, { left, right }: PairNames): ChartPart =>
  between === 'versions' ? { versions: [left, right] } : { groups: [left, right] }

/** Both groups with their runs; null if there are fewer than two groups. */
export function chooseSides(
  runs: readonly ChartRun[],
  { compare, groupBy, versions }: Choice,
): { left: Candidate; right: Candidate; sides: Sides } | null {
  const { left, right } = chooseCandidates(toCandidates(runs, compare.between, versions ?? []), compare)
  if (!left || !right) return null
  const sides = toSides(runs, comparedAxis(compare, groupBy), { left: left.value, right: right.value })
  return { left, right, sides }
}
