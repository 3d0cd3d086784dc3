import { ChartMeasure, type ChartParameters, type ScatterParameters } from '#contract/charts.ts'
import { withScore } from '#src/features/results/view/results-parameters.ts'
import { readScope } from '#src/features/results/view/scope-parameter.ts'
import type { Scope } from '#statistics/scope.ts'

export type CompareState = {
  /**
   * Whether the question is about all pairs, or only about the two groups, as from a leaderboard that names the first of
   * them as best.
   */
  among: 'all pairs' | 'these two'
  /** Groups of the selected grouping, or versions. */
  between: 'groups' | 'versions'
  measure: ChartMeasure
  /** The requested scope of the verdict; null lets the matched prompts decide. */
  scope: Scope | null
  /** Group values or fingerprints; null if the URL has none. */
  left: string | null
  right: string | null
  /** The matched cell whose runs the side pane shows. */
  cell: string | null
}

export function readCompareState(search: URLSearchParams): CompareState {
  return {
    among: search.get('among') === 'two' ? 'these two' : 'all pairs',
    between: search.get('by') === 'version' ? 'versions' : 'groups',
    measure: ChartMeasure.safeParse(search.get('measure')).data ?? 'solved',
    scope: readScope(search),
    left: search.get('left'),
    right: search.get('right'),
    cell: search.get('cell'),
  }
}

/** A comparison of versions ignores the version filter. A compared score is asked for. */
export const comparedParameters = (
  { between, measure }: CompareState,
  parameters: ChartParameters,
): ScatterParameters => withScore(between === 'versions' ? { ...parameters, version: 'all' } : parameters, measure)
