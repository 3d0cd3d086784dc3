import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'

import type { HeatmapSummary } from '#contract/charts.ts'
import type { LeaderboardSummary } from '#contract/leaderboard.ts'
import { chartOptions } from '#src/api/charts.ts'
import { TrendPlot } from '#src/charts/trend/TrendPlot.tsx'
import { leaderboardSql } from '#src/copy-as/chart-sql.ts'
import { chartCurl } from '#src/features/results/view/copy-results.ts'
import { readScope } from '#src/features/results/view/scope-parameter.ts'
import { NoFinishedRuns } from '#src/features/results/view/NoFinishedRuns.tsx'
import { ResultsBar } from '#src/features/results/view/ResultsBar.tsx'
import classes from '#src/features/results/view/ResultsTab.module.css'
import { withoutTestSearch } from '#src/features/results/view/results-parameters.ts'
import { type ViewProps, ViewState } from '#src/features/results/view/ViewState.tsx'
import { counted, percent } from '#src/format/numbers.ts'
import { defaultGrouping } from '#src/leaderboard/groupings.ts'
import { describeStep, toTrendLines } from '#src/leaderboard/trend-lines.ts'
import { scopeOfLeaderboard } from '#src/statistics/leaderboard/leaderboard-rows.ts'
import { findFlips } from '#src/statistics/leaderboard/flips.ts'
import { toTrends } from '#src/statistics/leaderboard/trends.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Section } from '#src/ui/Section.tsx'
import { FlipTable } from './FlipTable.tsx'
import { TrendTable } from './TrendTable.tsx'

/** Solved rates over versions, each compared with the version before it, and the tests that flipped. */
export function TrendsView(props: ViewProps) {
  const { experiment, state, refetchInterval } = props
  const axes = state.parameters.groupBy === 'variant' ? defaultGrouping(experiment.axes) : state.parameters.groupBy
  const parameters = { ...withoutTestSearch(state.parameters), groupBy: `${axes}~version`, version: 'all' }
  const shared = { placeholderData: keepPreviousData, refetchInterval }
  const rates = useQuery({ ...chartOptions('leaderboard', experiment.id, parameters), ...shared })
  const tests = useQuery({ ...chartOptions('tests', experiment.id, { ...parameters, testSearch: '' }), ...shared })
  return (
    <ViewState label="Trends over versions" query={rates}>
      {(data) => <Versions {...props} data={data} tests={tests.data} />}
    </ViewState>
  )
}

type VersionsProps = ViewProps & { data: LeaderboardSummary; tests: HeatmapSummary | undefined }

function Versions({ experiment, state, data, tests }: VersionsProps) {
  const [search] = useSearchParams()
  const scope = scopeOfLeaderboard(data, readScope(search))
  const trends = useMemo(() => toTrends(data, scope), [data, scope])
  const flips = useMemo(() => findFlips(tests?.cells ?? []), [tests])
  if (trends.length === 0)
    return (
      <NoFinishedRuns
        experimentId={experiment.id}
        parameters={state.parameters}
        testAware={data.excludedTestAwareRuns}
      />
    )
  const { versions, lines } = toTrendLines(trends)
  const parameters = { ...withoutTestSearch(state.parameters), groupBy: data.groupBy, version: 'all' }
  const runs = trends.reduce((sum, { steps }) => sum + steps.reduce((all, { row }) => all + row.runs, 0), 0)
  const shown = {
    title: 'solved rate over versions',
    quote: () => trends.flatMap(({ steps }) => steps.map(describeStep)).join('\n'),
    curl: () => chartCurl(experiment.id, 'leaderboard', parameters),
    sql: () => leaderboardSql({ parameters, version: 'all' }),
  }
  return (
    <>
      <ResultsBar
        {...{ experiment, shown }}
        scope={{ parameters, version: 'all' }}
        extent={`${counted(trends.length, 'group')}, ${counted(versions.length, 'version')}, ${counted(runs, 'run')}`}
        excludedTestAwareRuns={data.excludedTestAwareRuns}
      />
      {versions.length < 2 ? (
        <EmptyState
          title={`Only ${versions[0]} has finished runs`}
          hint="Trends compare each version with the one before it. Push a new version and run it."
        />
      ) : (
        <>
          <TrendPlot
            label={`Solved rate over ${counted(versions.length, 'version')}, ${counted(trends.length, 'group')}`}
            xs={versions}
            lines={lines}
            format={percent}
          />
          <p className={classes.legend}>
            <span>Mark: solved rate</span>
            <span>Line through it: 95 % interval on {scope}</span>
          </p>
          <Section title="Changes between versions">
            <TrendTable trends={trends} />
          </Section>
          <FlipTable experimentId={experiment.id} flips={flips} isLoading={!tests} />
        </>
      )}
    </>
  )
}
