import type { ChartMeasure } from '#contract/charts.ts'
import { GroupPane } from '#src/features/results/view/GroupPane.tsx'
import { withScore } from '#src/features/results/view/results-parameters.ts'
import type { PaneProps } from '#src/features/results/view/ViewState.tsx'
import { trendParameters, useTrendUnit } from './use-trend-unit.ts'

/** The runs behind one point of a trend. */
export function TrendPane({ experiment, state }: PaneProps) {
  const { metric, unit, isKnown } = useTrendUnit({ experiment, state })
  const { group } = state
  // A choice of another unit leaves the group of the former one in the URL.
  if (group === null || !isKnown || /~v\d+$/.test(group) !== (unit === 'version')) return null
  const metrics: readonly ChartMeasure[] = ['solved', metric === 'solved' ? 'costUsd' : metric]
  const parameters = metrics.reduce(withScore, trendParameters({ experiment, state }, unit))
  return <GroupPane key={group} {...{ experiment, parameters, group, metrics }} />
}
