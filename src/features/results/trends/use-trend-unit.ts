import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'

import { chartOptions } from '#src/api/charts.ts'
import { withoutTestSearch } from '#src/features/results/view/results-parameters.ts'
import type { PaneProps, ViewProps } from '#src/features/results/view/ViewState.tsx'
import { stepsOf, unitOfSpan } from '#src/shared/leaderboard/trend-dates.ts'
import { readTrendState, trendGrouping, type TrendUnit } from './trend-parameters.ts'

/** What a trend asks the charts for: the filters of the page, all versions, grouped by `unit` last. */
export const trendParameters = ({ experiment, state }: PaneProps, unit: TrendUnit) => ({
  ...withoutTestSearch(state.parameters),
  groupBy: trendGrouping(state.parameters.groupBy, experiment, unit),
  version: 'all',
})

/**
 * The metric of a trend, and its unit: versions, or days or weeks by the span of the runs. `isKnown` is false while the
 * runs have to be looked at first.
 */
export function useTrendUnit(props: PaneProps & Partial<Pick<ViewProps, 'refetchInterval'>>) {
  const { experiment, refetchInterval } = props
  const [search] = useSearchParams()
  const { metric } = readTrendState(search)
  const asked = metric === 'solved' ? {} : { metric }
  // One version has nothing to compare with, unless its runs ended on several days.
  const isAlone = experiment.versionCount === 1 && search.get('over') === null
  const byDay = useQuery({
    ...chartOptions('leaderboard', experiment.id, { ...trendParameters(props, 'day'), ...asked }),
    enabled: isAlone || search.get('over') === 'time',
    ...(refetchInterval !== undefined && { refetchInterval }),
  })
  const days = byDay.data ? stepsOf(byDay.data) : []
  const { over } = readTrendState(search, isAlone && days.length > 1 ? 'time' : 'version')
  const unit: TrendUnit = over === 'version' ? 'version' : unitOfSpan(days)
  return { metric, asked, over, unit, isKnown: !(isAlone && byDay.isPending) }
}
