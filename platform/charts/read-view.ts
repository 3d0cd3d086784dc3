import type { ChartKind, ResultView } from '#contract/charts.ts'
import { invalid } from '#platform/failures/failure.ts'

type SentView = {
  resultView: ResultView
  groupValue?: string | undefined
  testName?: string | undefined
  cursor?: string | undefined
}

/** A result view with what it needs, and nothing it would ignore. */
export type ChartView =
  | { view: 'summary'; cursor?: undefined }
  | { view: 'points'; cursor: string | undefined }
  | { view: 'runs'; groupValue: string; testName: string; cursor: string | undefined }

/** Errors: `invalid_argument` for a view the kind has not, for what a view misses, and for what it would ignore. */
export function readView(kind: ChartKind, { resultView, groupValue, testName, cursor }: SentView): ChartView {
  if (testName && kind !== 'tests') throw invalid('`test_name` belongs to heatmaps')
  if (resultView !== 'runs' && groupValue !== undefined) throw invalid('`group_value` belongs to `result_view=runs`')
  if (resultView !== 'runs' && testName) throw invalid('`test_name` belongs to `result_view=runs`')
  if (resultView === 'summary') {
    if (cursor) throw invalid('`cursor` belongs to the result views points and runs')
    return { view: 'summary' }
  }
  if (resultView === 'points') {
    if (kind === 'tests') throw invalid('A heatmap has the result views summary and runs; it has no points')
    return { view: 'points', cursor }
  }
  if (groupValue === undefined) throw invalid('`group_value` is required for `result_view=runs`')
  if (kind === 'tests' && !testName) throw invalid('`test_name` is required for `result_view=runs` of a heatmap')
  return { view: 'runs', groupValue, testName: testName ?? '', cursor }
}
