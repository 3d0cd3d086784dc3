import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { ChartMetric, MetricGroup, MetricSummary } from '#contract/charts.ts'
import { chartRunsOptions, chartOptions } from '#src/api/charts.ts'
import { BoxPlot } from '#src/charts/box/BoxPlot.tsx'
import { UrlSelect } from '#src/features/results/view/UrlSelect.tsx'
import { chartCurl } from '#src/features/results/view/copy-results.ts'
import { measures } from '#src/features/results/view/measures.ts'
import { NoFinishedRuns } from '#src/features/results/view/NoFinishedRuns.tsx'
import { PointsToggle } from '#src/features/results/view/PointsToggle.tsx'
import { ResultsBar } from '#src/features/results/view/ResultsBar.tsx'
import classes from '#src/features/results/view/ResultsTab.module.css'
import { metricChoices, withoutTestSearch } from '#src/features/results/view/results-parameters.ts'
import { chosenRunIds, toPoints } from '#src/features/results/view/to-points.ts'
import { type ViewProps, ViewState } from '#src/features/results/view/ViewState.tsx'
import { metricSql } from '#src/copy-as/chart-sql.ts'
import { count, counted } from '#src/format/numbers.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import type { BoxGroup } from '#src/charts/box/box-group.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import { MetricTable } from './MetricTable.tsx'

/** Groups as rows of a box plot. A group whose runs all lack the metric keeps an empty row. */
const toBoxGroups = (groups: readonly MetricGroup[], metric: ChartMetric): BoxGroup[] =>
  groups.map((group) => {
    const { format } = measures[metric]
    const label = groupLabel(group.group)
    const extent =
      group.n === 0
        ? `${counted(group.missing, 'run')} without a value`
        : counted(group.n, 'run') + (group.missing > 0 ? `, ${group.missing} without a value` : '')
    const spread =
      group.n === 0
        ? 'no value'
        : `median ${format(group.median)}, quartiles ${format(group.q1)} to ${format(group.q3)}, mean ${format(group.mean)}`
    return { ...group, label, extent, words: `${label} ${extent}: ${spread}` }
  })

const choices = metricChoices.map((value) => ({ value, label: measures[value].label }))

/** The distribution of one metric over the runs of each group. */
export function MetricView(props: ViewProps) {
  const { experiment, state, refetchInterval } = props
  const { parameters, metric } = state
  const summary = useQuery({
    ...chartOptions('metric', experiment.id, { ...withoutTestSearch(parameters), metric }),
    placeholderData: keepPreviousData,
    refetchInterval,
  })
  return (
    <ViewState label="One metric by group" query={summary}>
      {(data) => <Groups {...props} data={data} />}
    </ViewState>
  )
}

function Groups({ experiment, state, data }: ViewProps & { data: MetricSummary }) {
  const url = useQueryState()
  const { metric } = data
  const { as, parameters, group } = state
  const showsPoints = state.showsPoints ?? true
  const isDrawn = showsPoints && as === 'chart'
  const runs = useQuery({ ...chartRunsOptions(experiment.id, withoutTestSearch(parameters)), enabled: isDrawn })
  const groups = useMemo(() => toBoxGroups(data.groups, metric), [data, metric])
  const points = useMemo(
    () => (isDrawn && runs.data ? toPoints(runs.data.runs, data.groups, { x: metric, y: metric }) : null),
    [isDrawn, runs.data, data.groups, metric],
  )
  if (groups.length === 0)
    return (
      <NoFinishedRuns experimentId={experiment.id} parameters={parameters} testAware={data.excludedTestAwareRuns} />
    )
  const [total, missing] = [sumOf(data.groups, ({ runs }) => runs), sumOf(data.groups, (one) => one.missing)]
  const measure = measures[metric]
  const { label } = measure
  const extent = `${counted(groups.length, 'group')}, ${counted(total, 'run')}`
  const leftOut = missing > 0 ? `${count(missing)} without ${label.toLowerCase()}` : null
  const scope = { parameters: withoutTestSearch(parameters), version: data.version }
  const shown = {
    title: `${label.toLowerCase()} by group`,
    quote: () => [extent, ...groups.map(({ words }) => words)].join('\n'),
    curl: () => chartCurl(experiment.id, 'metric', { ...scope.parameters, metric }),
    sql: () => metricSql(scope, metric),
  }
  const showGroup = (chosen: string) => url.push({ group: chosen, run: null })
  return (
    <>
      <ResultsBar
        {...{ experiment, scope, extent, leftOut, as, shown }}
        excludedTestAwareRuns={data.excludedTestAwareRuns}
      >
        {as === 'chart' && <PointsToggle isOn={showsPoints} isDefault isLoading={isDrawn && runs.isLoading} />}
        <UrlSelect label="Metric" param="metric" hasNoDefault value={metric} choices={choices} />
      </ResultsBar>
      {runs.error && (
        <ErrorNotice title="The runs could not be loaded" error={runs.error} onRetry={() => void runs.refetch()} />
      )}
      {as === 'table' ? (
        <MetricTable groups={data.groups} metric={metric} selected={group} onSelect={showGroup} />
      ) : missing === total ? (
        <EmptyState
          title={`No ${label.toLowerCase()} recorded for these runs`}
          hint="Switch to Table to see the groups."
        />
      ) : (
        <>
          <BoxPlot
            label={`${label} by group, ${counted(groups.length, 'group')}`}
            groups={groups}
            points={points}
            x={measure}
            selected={group}
            onSelectGroup={showGroup}
            onSelectPoints={(chosen) => url.push({ run: chosenRunIds(chosen), group: null })}
          />
          <p className={classes.legend}>
            <span>Box: middle 50 %</span>
            <span>Line: median</span>
            <span>Circle: mean</span>
            <span>Whiskers: 1.5 × IQR</span>
          </p>
        </>
      )}
    </>
  )
}

const sumOf = <Item,>(items: readonly Item[], valueOf: (item: Item) => number) =>
  items.reduce((sum, item) => sum + valueOf(item), 0)
