import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'

import type { HeatmapSummary } from '#contract/charts.ts'
import type { LeaderboardSummary } from '#contract/leaderboard.ts'
import { chartOptions } from '#src/api/charts.ts'
import { TrendPlot } from '#src/charts/trend/TrendPlot.tsx'
import { leaderboardSql, metricSql } from '#src/shared/copy-as/chart-sql.ts'
import { chartCurl } from '#src/features/results/view/copy-results.ts'
import { IntervalScopeSelect } from '#src/features/results/view/IntervalScopeSelect.tsx'
import { measureOf, scoreChoices } from '#src/features/results/view/measures.ts'
import { readScope } from '#src/features/results/view/scope-parameter.ts'
import { NoFinishedRuns } from '#src/features/results/view/NoFinishedRuns.tsx'
import { ResultsBar } from '#src/features/results/view/ResultsBar.tsx'
import classes from '#src/features/results/view/ResultsTab.module.css'
import { withoutTestSearch } from '#src/features/results/view/results-parameters.ts'
import { UrlSelect } from '#src/features/results/view/UrlSelect.tsx'
import { type ViewProps, ViewState } from '#src/features/results/view/ViewState.tsx'
import { counted, percent } from '#src/format/numbers.ts'
import { intervalWords } from '#src/shared/leaderboard/interval-words.ts'
import { fillDates } from '#src/shared/leaderboard/trend-dates.ts'
import { describeStep, nameOfSteps, toTrendLines } from '#src/shared/leaderboard/trend-lines.ts'
import { scopeOfLeaderboard } from '#statistics/leaderboard/leaderboard-rows.ts'
import { findFlips } from '#statistics/leaderboard/flips.ts'
import { type Trend, trendMetrics, toTrends } from '#statistics/leaderboard/trends.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { PageOnly } from '#src/ui/PageOnly.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { Section } from '#src/ui/Section.tsx'
import { FlipTable } from './FlipTable.tsx'
import { TrendTable } from './TrendTable.tsx'
import { type TrendState, type TrendUnit, readTrendState, readZoom } from './trend-parameters.ts'
import { trendTitle, trendTitleInSentence, trendWords } from './trend-words.ts'
import { trendParameters, useTrendUnit } from './use-trend-unit.ts'

const metricChoices = trendMetrics.map((value) => ({ value, label: trendTitle(value) }))

const overChoices = [
  { value: 'version', label: 'Over versions' },
  { value: 'time', label: 'Over time' },
]

/** A metric over versions or over time, each step compared with the one before it, and the tests that flipped. */
export function TrendsView(props: ViewProps) {
  const { experiment, refetchInterval } = props
  const { asked, over, unit, isKnown } = useTrendUnit(props)
  const rates = useQuery({
    ...chartOptions('leaderboard', experiment.id, { ...trendParameters(props, unit), ...asked }),
    // Earlier data lack a metric that they were not asked for.
    ...(!('metric' in asked) && { placeholderData: keepPreviousData }),
    enabled: isKnown,
    refetchInterval,
  })
  const tests = useQuery({
    ...chartOptions('tests', experiment.id, { ...trendParameters(props, 'version'), testSearch: '' }),
    placeholderData: keepPreviousData,
    enabled: over === 'version',
    refetchInterval,
  })
  return (
    <ViewState label={over === 'version' ? 'Trends over versions' : 'Trends over time'} query={rates}>
      {(data) => <Steps {...props} data={data} tests={tests.data} over={over} />}
    </ViewState>
  )
}

/** What a summary is grouped by last. While other data load, it is that of the shown ones. */
const unitOf = ({ axes }: LeaderboardSummary): TrendUnit => {
  const last = axes.at(-1)
  return last === 'day' || last === 'week' ? last : 'version'
}

type StepsProps = ViewProps & {
  data: LeaderboardSummary
  tests: HeatmapSummary | undefined
  over: TrendState['over']
}

function Steps({ experiment, state, data, tests, over }: StepsProps) {
  const [search] = useSearchParams()
  const url = useQueryState()
  const { metric } = readTrendState(search)
  const unit = unitOf(data)
  const scope = scopeOfLeaderboard(data, readScope(search))
  const trends = useMemo(() => toTrends(data, scope, metric), [data, scope, metric])
  const flips = useMemo(() => findFlips(unit === 'version' ? (tests?.cells ?? []) : []), [unit, tests])
  if (trends.length === 0)
    return <NoFinishedRuns experimentId={experiment.id} parameters={state.parameters} omissions={data} />
  const words = trendWords(metric)
  const nameOf = nameOfSteps(trends, unit)
  const { steps, lines } = toTrendLines(trends, { words, nameOf })
  const parameters = { ...withoutTestSearch(state.parameters), groupBy: data.groupBy, version: 'all' }
  const chartScope = { parameters, version: 'all' }
  const runs = trends.reduce((sum, trend) => sum + trend.steps.reduce((all, { row }) => all + row.runs, 0), 0)
  const title = trendTitle(metric)
  const shown = {
    title: `${trendTitleInSentence(metric)} over ${unit === 'version' ? 'versions' : 'time'}`,
    quote: () => trends.flatMap((trend) => trend.steps.map((step) => describeStep(step, words, nameOf))).join('\n'),
    curl: () => chartCurl(experiment.id, 'leaderboard', { ...parameters, ...(metric !== 'solved' && { metric }) }),
    sql: () => (metric === 'solved' ? leaderboardSql(chartScope) : metricSql(chartScope, metric)),
  }
  const xs = unit === 'version' ? steps : fillDates(steps, unit)
  const showGroup = (group: string) => url.push({ group, run: null })
  return (
    <>
      <ResultsBar
        {...{ experiment, shown }}
        scope={chartScope}
        extent={`${counted(trends.length, 'group')}, ${counted(steps.length, unit)}, ${counted(runs, 'run')}`}
        omissions={data}
      >
        <UrlSelect
          label="Metric"
          param="metric"
          value={metric}
          choices={[...metricChoices, ...scoreChoices(data.scores, 'Mean ')]}
        />
        <UrlSelect label="Over" param="over" hasNoDefault value={over} choices={overChoices} />
        <IntervalScopeSelect data={data} scope={scope} />
      </ResultsBar>
      {lines.every(({ places }) => places.every(({ value }) => value === null)) ? (
        <EmptyState title={`No ${trendTitleInSentence(metric)} is known of these runs`} hint="Choose another metric." />
      ) : steps.length < 2 ? (
        <OneStep unit={unit} name={nameOf(steps[0] ?? '')} />
      ) : (
        <>
          <TrendPlot
            key={unit}
            zooming={{ zoom: readZoom(search), onZoom: (zoom) => url.set({ zoom: zoom && `${zoom.from}~${zoom.to}` }) }}
            label={`${title} over ${counted(steps.length, unit)}, ${counted(trends.length, 'group')}`}
            xs={xs}
            lines={lines}
            selected={state.group}
            onSelect={showGroup}
            {...(metric === 'solved' || metric === 'passRate'
              ? { format: percent }
              : {
                  format: words.format,
                  axis: { low: lowest(trends), high: highest(trends), unit: measureOf(metric).tickUnit },
                })}
            formatX={nameOf}
          />
          <p className={classes.legend}>
            <span>
              Mark: {trendTitleInSentence(metric)}
              {unit !== 'version' && ` of the runs that ended in a ${unit} (UTC)`}
            </span>
            <span>{intervalWords[scope]}</span>
          </p>
          <PageOnly>
            <Section title={unit === 'version' ? 'Changes between versions' : `Changes from ${unit} to ${unit}`}>
              <TrendTable {...{ trends, unit, metric, words, nameOf }} onSelect={showGroup} />
            </Section>
            {unit === 'version' && (
              <FlipTable flips={flips} groupBy={tests?.groupBy ?? data.groupBy} isLoading={!tests} />
            )}
          </PageOnly>
        </>
      )}
    </>
  )
}

/** The top of the axis: every value, and intervals up to twice the highest value. */
function highest(trends: readonly Trend[]) {
  const steps = trends.flatMap((trend) => trend.steps)
  const value = steps.reduce((most, step) => Math.max(most, step.value ?? 0), 0)
  const end = steps.reduce((most, step) => Math.max(most, step.interval?.high ?? 0), value)
  return Math.min(end, value * 2) || 1
}

/** The bottom of the axis: zero, unless a score is below it. */
const lowest = (trends: readonly Trend[]) =>
  trends
    .flatMap((trend) => trend.steps)
    .reduce((least, { value, interval }) => Math.min(least, interval?.low ?? value ?? 0), 0)

const OneStep = ({ unit, name }: { unit: TrendUnit; name: string }) =>
  unit === 'version' ? (
    <EmptyState
      title={`Only ${name} has finished runs`}
      hint="Trends compare each version with the one before it. Push a new version and run it, or choose Over time."
    />
  ) : (
    <EmptyState
      title={`All runs ended ${unit === 'day' ? 'on' : 'in the week of'} ${name}`}
      hint="Trends over time appear when runs end on another day."
    />
  )
