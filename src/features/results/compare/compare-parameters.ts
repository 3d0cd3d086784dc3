import { ChartMetric, type ChartParameters } from '#contract/charts.ts'
import { type Scope, scopes } from '#src/statistics/scope.ts'

export type CompareState = {
  /** Groups of the chosen grouping, or versions. */
  between: 'groups' | 'versions'
  measure: ChartMetric
  /** What the verdict is to be about; null where the URL leaves it to the prompts that match. */
  scope: Scope | null
  /** Group values or fingerprints; null where the URL chose none. */
  left: string | null
  right: string | null
  /** The matched cell whose runs the side pane shows. */
  cell: string | null
}

/** A scope as the URL names it, in `scope`. */
export const scopeParameter: Record<Scope, string> = { 'prompts like these': 'like-these', 'these prompts': 'these' }

export function readCompareState(search: URLSearchParams): CompareState {
  return {
    between: search.get('by') === 'version' ? 'versions' : 'groups',
    measure: ChartMetric.safeParse(search.get('measure')).data ?? 'passRate',
    scope: scopes.find((scope) => scopeParameter[scope] === search.get('scope')) ?? null,
    left: search.get('left'),
    right: search.get('right'),
    cell: search.get('cell'),
  }
}

/** Versions are compared over all of them, whichever the filter bar shows. */
export const comparedParameters = ({ between }: CompareState, parameters: ChartParameters): ChartParameters =>
  between === 'versions' ? { ...parameters, version: 'all' } : parameters
