import { Skeleton } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'

import type { MetricSummary } from '#contract/charts.ts'
import type { LeaderboardSummary } from '#contract/leaderboard.ts'
import { chartRunsOptions, chartOptions } from '#src/api/charts.ts'
import { BoxPlot } from '#src/charts/box/BoxPlot.tsx'
import type { Scale } from '#src/charts/axis-scale.ts'
import { chartCurl } from '#src/features/results/view/copy-results.ts'
import { IntervalScopeSelect } from '#src/features/results/view/IntervalScopeSelect.tsx'
import { labelInSentence, measureOf, scoreChoices } from '#src/features/results/view/measures.ts'
import { NoFinishedRuns } from '#src/features/results/view/NoFinishedRuns.tsx'
import { PointsToggle } from '#src/features/results/view/PointsToggle.tsx'
import { ResultsBar } from '#src/features/results/view/ResultsBar.tsx'
import { metricChoices, withScore, withoutTestSearch } from '#src/features/results/view/results-parameters.ts'
import { readScope, scopeParameter } from '#src/features/results/view/scope-parameter.ts'
import { chosenRunIds, toPoints } from '#src/features/results/view/to-points.ts'
import { UrlSelect } from '#src/features/results/view/UrlSelect.tsx'
import { type ViewProps, ViewState } from '#src/features/results/view/ViewState.tsx'
import { metricSql } from '#src/shared/copy-as/chart-sql.ts'
import { count, counted } from '#src/format/numbers.ts'
import { scopeOfLeaderboard } from '#statistics/leaderboard/leaderboard-rows.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { MetricLegend } from './MetricLegend.tsx'
import { MetricTable } from './MetricTable.tsx'
import { ratesOf, toBoxGroups, toMetricRows } from './metric-groups.ts'
import { rateOfMetric, readMetricState, scaleOfValues } from './metric-parameters.ts'

const choices = metricChoices.map((value) => ({ value, label: measureOf(value).label }))

const orderChoices = [
  { value: 'value', label: 'Best first' },
  { value: 'name', label: 'By name' },
]

const scaleChoices = [
  { value: 'linear', label: 'Linear scale' },
  { value: 'log', label: 'Log scale' },
]

/** One metric over the runs of each group: a rate with its interval, or the distribution of an amount. */
export function MetricView(props: ViewProps) {
  const { experiment, state, refetchInterval } = props
  const { metric } = state
  const isRate = rateOfMetric(metric) !== null
  const parameters = { ...withoutTestSearch(state.parameters), metric, ...(isRate && { endedPromptsOnly: true }) }
  const summary = useQuery({
    ...chartOptions('metric', experiment.id, parameters),
    placeholderData: keepPreviousData,
    refetchInterval,
  })
  const tallies = useQuery({
    ...chartOptions('leaderboard', experiment.id, parameters),
    enabled: isRate,
    refetchInterval,
  })
  return (
    <ViewState label="One metric by group" query={summary}>
      {(data) =>
        rateOfMetric(data.metric) === null ? (
          <Groups {...props} data={data} tallies={null} />
        ) : tallies.error ? (
          <ErrorNotice
            title="The intervals could not be loaded"
            error={tallies.error}
            onRetry={() => void tallies.refetch()}
          />
        ) : summary.isPlaceholderData || !tallies.data ? (
          <Skeleton height={360} />
        ) : (
          <Groups {...props} data={data} tallies={tallies.data} />
        )
      }
    </ViewState>
  )
}

type GroupsProps = ViewProps & {
  data: MetricSummary
  /** For a rate, its mean on each prompt. */
  tallies: LeaderboardSummary | null
}

function Groups({ experiment, state, refetchInterval, data, tallies }: GroupsProps) {
  const url = useQueryState()
  const [search] = useSearchParams()
  const { metric } = data
  const { as, parameters, group } = state
  const { order, scale: asked } = readMetricState(search)
  const interval = useMemo(() => {
    const scope = tallies && scopeOfLeaderboard(tallies, readScope(search))
    return tallies && scope ? { data: tallies, scope, rates: ratesOf(tallies, scope, metric) } : null
  }, [tallies, search, metric])
  const showsPoints = !interval && (state.showsPoints ?? true)
  const isDrawn = showsPoints && as === 'chart'
  const runs = useQuery({
    ...chartRunsOptions(experiment.id, withScore(withoutTestSearch(parameters), metric)),
    enabled: isDrawn,
    refetchInterval,
  })
  const rates = interval?.rates ?? null
  const rows = useMemo(() => toMetricRows(data.groups, rates, { metric, order }), [data, rates, metric, order])
  const groups = useMemo(() => toBoxGroups(rows, metric), [rows, metric])
  const points = useMemo(
    () => (isDrawn && runs.data ? toPoints(runs.data.runs, rows, { x: metric, y: metric }) : null),
    [isDrawn, runs.data, rows, metric],
  )
  if (groups.length === 0)
    return <NoFinishedRuns experimentId={experiment.id} parameters={parameters} omissions={data} />
  const scale: Scale = interval ? 'linear' : (asked ?? scaleOfValues(data.groups))
  const [total, missing] = [sumOf(data.groups, (one) => one.runs), sumOf(data.groups, (one) => one.missing)]
  const measure = measureOf(metric)
  const { label } = measure
  const extent = `${counted(groups.length, 'group')}, ${counted(total, 'run')}`
  const leftOut = missing > 0 ? `${count(missing)} without ${labelInSentence(metric)}` : null
  const scope = { parameters: withoutTestSearch(parameters), version: data.version }
  const shown = {
    title: `${labelInSentence(metric)} by group`,
    quote: () => [extent, ...groups.map(({ words }) => words)].join('\n'),
    curl: () => chartCurl(experiment.id, 'metric', { ...scope.parameters, metric }),
    sql: () => metricSql(scope, metric),
    pinned: { metric, order, ...(interval ? { scope: scopeParameter[interval.scope] } : { scale }) },
  }
  const showGroup = (chosen: string) => url.push({ group: chosen, run: null })
  return (
    <>
      <ResultsBar {...{ experiment, scope, extent, leftOut, as, shown }} omissions={data}>
        {as === 'chart' && !interval && (
          <PointsToggle isOn={showsPoints} isDefault isLoading={isDrawn && runs.isLoading} />
        )}
        <UrlSelect
          label="Metric"
          param="metric"
          hasNoDefault
          value={metric}
          choices={[...choices, ...scoreChoices(data.scores)]}
        />
        <UrlSelect label="Sort groups" param="order" value={order} choices={orderChoices} />
        {as === 'chart' && !interval && (
          <UrlSelect label="Scale" param="scale" hasNoDefault value={scale} choices={scaleChoices} />
        )}
        {interval && <IntervalScopeSelect data={interval.data} scope={interval.scope} />}
      </ResultsBar>
      {runs.error && (
        <ErrorNotice title="The runs could not be loaded" error={runs.error} onRetry={() => void runs.refetch()} />
      )}
      {as === 'table' ? (
        <MetricTable rows={rows} metric={metric} selected={group} onSelect={showGroup} />
      ) : missing === total ? (
        <EmptyState
          title={`No ${labelInSentence(metric)} recorded for these runs`}
          hint="Switch to Table to see the groups."
        />
      ) : (
        <BoxPlot
          label={`${label} by group, ${counted(groups.length, 'group')}`}
          groups={groups}
          points={points}
          x={metric === 'toolFailureRate' ? { ...measure, largest: undefined } : measure}
          scale={scale}
          selected={group}
          onSelectGroup={showGroup}
          onSelectPoints={(chosen) => url.push({ run: chosenRunIds(chosen), group: null })}
        />
      )}
      <MetricLegend
        metric={metric}
        scope={interval?.scope ?? null}
        isChart={as === 'chart' && missing < total}
        hasCut={data.groups.some(({ cut }) => cut !== undefined)}
        hasZeros={scale === 'log' && data.groups.some(({ min }) => min !== null && min <= 0)}
      />
    </>
  )
}

const sumOf = <Item,>(items: readonly Item[], valueOf: (item: Item) => number) =>
  items.reduce((sum, item) => sum + valueOf(item), 0)
