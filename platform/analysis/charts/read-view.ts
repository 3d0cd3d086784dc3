import { type ChartKind, charts } from '#contract/chart-kinds.ts'
import type { ResultView } from '#contract/charts.ts'
import { invalid } from '#platform/ground/failures/failure.ts'

type SentView = {
  resultView: ResultView
  groupValue?: string | undefined
  testName?: string | undefined
  cursor?: string | undefined
}

/** A result view with exactly the fields that it uses. */
export type ChartView =
  | { view: 'summary'; cursor?: undefined }
  | { view: 'points'; cursor: string | undefined }
  | { view: 'runs'; groupValue: string; testName: string; cursor: string | undefined }

/** Errors: `invalid_argument` for a view that the chart does not have, and for a missing or unused field. */
export function readView(kind: ChartKind, { resultView, groupValue, testName, cursor }: SentView): ChartView {
  const views = charts[kind].views
  const asksForTest = 'testName' in views.runs.shape
  if (testName && !asksForTest) throw invalid('`test_name` is only allowed for heatmaps')
  if (resultView !== 'runs' && groupValue !== undefined)
    throw invalid('`group_value` is only allowed with `result_view=runs`')
  if (resultView !== 'runs' && testName) throw invalid('`test_name` is only allowed with `result_view=runs`')
  if (resultView === 'summary') {
    if (cursor) throw invalid('`cursor` is only allowed with the result views points and runs')
    return { view: 'summary' }
  }
  if (resultView === 'points') {
    if (!('points' in views)) throw invalid('This chart has no result view `points`; it has `summary` and `runs`')
    return { view: 'points', cursor }
  }
  if (groupValue === undefined) throw invalid('`group_value` is required for `result_view=runs`')
  if (asksForTest && !testName) throw invalid('`test_name` is required for `result_view=runs` of a heatmap')
  return { view: 'runs', groupValue, testName: testName ?? '', cursor }
}
