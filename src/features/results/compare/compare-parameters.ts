import { ChartMeasure, type ChartParameters, type ScatterParameters } from '#contract/charts.ts'
import { withScore } from '#src/features/results/view/results-parameters.ts'
import { readScope } from '#src/features/results/view/scope-parameter.ts'
import type { Scope } from '#statistics/scope.ts'

export type CompareState = {
  /** Groups of the selected grouping, or versions. */
  between: 'groups' | 'versions'
  measure: ChartMeasure
  /** The requested scope of the verdict; null lets the prompts of all groups decide. */
  scope: Scope | null
  /** Group values or fingerprints; null if the URL has none. */
  left: string | null
  right: string | null
  /** The matched cell whose runs the side pane shows. */
  cell: string | null
}

export function readCompareState(search: URLSearchParams): CompareState {
  return {
    between: search.get('by') === 'version' ? 'versions' : 'groups',
    measure: ChartMeasure.safeParse(search.get('measure')).data ?? 'solved',
    scope: readScope(search),
    left: search.get('left'),
    right: search.get('right'),
    cell: search.get('cell'),
  }
}

/**
 * A comparison of versions ignores the version filter. A compared score is asked for. While runs are unfinished, the
 * same runs count as on a leaderboard.
 */
export const comparedParameters = (
  { between, measure }: CompareState,
  parameters: ChartParameters,
): ScatterParameters => ({
  ...withScore(between === 'versions' ? { ...parameters, version: 'all' } : parameters, measure),
  endedPromptsOnly: true,
})
