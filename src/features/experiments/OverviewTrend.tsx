import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useNavigate } from 'react-router'

import type { Experiment } from '#contract/experiments.ts'
import type { LiveResults } from '#src/api/live-results.ts'
import { counted, percent } from '#src/format/numbers.ts'
import { fillDates, stepsOf, unitOfSpan } from '#src/shared/leaderboard/trend-dates.ts'
import { solvedTrends } from '#src/shared/leaderboard/solved-trends.ts'
import { nameOfSteps, toTrendLines } from '#src/shared/leaderboard/trend-lines.ts'
import { trendOptions } from '#src/shared/leaderboard/trend-options.ts'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Section } from '#src/ui/Section.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'

const TrendPlot = lazy(async () => ({ default: (await import('#src/charts/trend/TrendPlot.tsx')).TrendPlot }))

type Props = { experiment: Experiment; live: LiveResults }

/**
 * Solved rates over the versions of an experiment, or over time until two versions have finished runs. Nothing if no group
 * has two of them.
 */
export function OverviewTrend({ experiment, live: { refetchInterval } }: Props) {
  const { id, versionCount } = experiment
  const navigate = useNavigate()
  const byVersion = useQuery({ ...trendOptions(experiment, 'version'), enabled: versionCount > 1, refetchInterval })
  const hasVersions = byVersion.data !== undefined && stepsOf(byVersion.data).length > 1
  const isOverTime = !hasVersions && (versionCount < 2 || byVersion.data !== undefined)
  const byDay = useQuery({ ...trendOptions(experiment, 'day'), enabled: isOverTime, refetchInterval })
  const unit = byDay.data ? unitOfSpan(stepsOf(byDay.data)) : 'day'
  const byWeek = useQuery({
    ...trendOptions(experiment, 'week'),
    enabled: isOverTime && unit === 'week',
    refetchInterval,
  })
  const failed = [byVersion, byDay, byWeek].find(({ error, data }) => error && !data)
  if (failed?.error)
    return (
      <ErrorNotice title="The trend could not be loaded" error={failed.error} onRetry={() => void failed.refetch()} />
    )
  const { data } = hasVersions ? byVersion : unit === 'week' ? byWeek : byDay
  const trends = data ? solvedTrends(data) : []
  const nameOf = nameOfSteps(trends, hasVersions ? 'version' : unit)
  const { steps, lines } = toTrendLines(trends, { nameOf })
  // Groups that ran once each have no trend, and tools that only score leave no solved rates.
  const hasTrend = lines.some(({ places }) => places.filter(({ value }) => value !== null).length > 1)
  if (!hasTrend) return null
  const over = hasVersions ? null : 'time'
  return (
    <Section
      title={over ? 'Solved rate over time (UTC)' : 'Solved rate by version'}
      aside={<TextLink href={paths.experiment(id, 'results', { view: 'trends', over })}>Trends</TextLink>}
    >
      <Suspense fallback={<Skeleton height={208} />}>
        <TrendPlot
          isSmall
          label={`Solved rate over ${counted(steps.length, over ? unit : 'version')}, ${counted(lines.length, 'group')}`}
          xs={over ? fillDates(steps, unit) : steps}
          lines={lines}
          format={percent}
          formatX={nameOf}
          onSelect={(group) => void navigate(paths.experiment(id, 'results', { view: 'trends', over, group }))}
        />
      </Suspense>
    </Section>
  )
}
