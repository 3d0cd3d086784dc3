import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { Experiment } from '#contract/experiments.ts'
import { LeaderboardParameters } from '#contract/leaderboard.ts'
import { chartOptions } from '#src/api/charts.ts'
import { TrendPlot } from '#src/charts/trend/TrendPlot.tsx'
import { counted, percent } from '#src/format/numbers.ts'
import { defaultGrouping } from '#src/leaderboard/groupings.ts'
import { toTrendLines } from '#src/leaderboard/trend-lines.ts'
import { paths } from '#src/paths.ts'
import { scopeOfLeaderboard } from '#statistics/leaderboard/leaderboard-rows.ts'
import { toTrends } from '#statistics/leaderboard/trends.ts'
import { Section } from '#src/ui/Section.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'

/** Solved rates over the versions of an experiment; nothing until two versions have finished runs. */
export function OverviewTrend({ experiment: { id, axes, versionCount } }: { experiment: Experiment }) {
  const { data } = useQuery({
    ...chartOptions(
      'leaderboard',
      id,
      LeaderboardParameters.parse({ groupBy: `${defaultGrouping(axes)}~version`, version: 'all' }),
    ),
    enabled: versionCount > 1,
  })
  const trends = useMemo(() => (data ? toTrends(data, scopeOfLeaderboard(data, null)) : []), [data])
  const { steps: versions, lines } = toTrendLines(trends)
  if (versions.length < 2) return null
  return (
    <Section
      title="Solved rate by version"
      aside={<TextLink href={paths.experiment(id, 'results', { view: 'trends' })}>Trends</TextLink>}
    >
      <TrendPlot
        label={`Solved rate over ${counted(versions.length, 'version')}, ${counted(lines.length, 'group')}`}
        xs={versions}
        lines={lines}
        format={percent}
      />
    </Section>
  )
}
