import { ChartMetric, type ChartParameters } from '#contract/charts.ts'

export type CompareState = {
  /** Groups of the chosen grouping, or versions. */
  between: 'groups' | 'versions'
  measure: ChartMetric
  /** Group values or fingerprints; null where the URL chose none. */
  left: string | null
  right: string | null
  /** The matched cell whose runs the side pane shows. */
  cell: string | null
}

export function readCompareState(search: URLSearchParams): CompareState {
  return {
    between: search.get('by') === 'version' ? 'versions' : 'groups',
    measure: ChartMetric.safeParse(search.get('measure')).data ?? 'passRate',
    left: search.get('left'),
    right: search.get('right'),
    cell: search.get('cell'),
  }
}

/** Versions are compared over all of them, whichever the filter bar shows. */
export const comparedParameters = ({ between }: CompareState, parameters: ChartParameters): ChartParameters =>
  between === 'versions' ? { ...parameters, version: 'all' } : parameters
