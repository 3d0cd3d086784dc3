import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import type { ChartMeasure, ScatterParameters } from '#contract/charts.ts'
import type { Experiment } from '#contract/experiments.ts'
import { chartRunsOptions } from '#src/api/charts.ts'
import { counted } from '#src/format/numbers.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { quoteRuns } from './quote-runs.ts'
import { MeasuredRunLines } from './RunLines.tsx'
import { SidePane } from './SidePane.tsx'
import classes from './SidePane.module.css'
import { ExportPart } from './ExportPart.tsx'

type Props = {
  experiment: Experiment
  parameters: ScatterParameters
  runUuids: readonly string[]
  metrics: readonly ChartMeasure[]
}

/** The runs of several points that were clicked together, because they overlap. */
export function PointsPane({ experiment, parameters, runUuids, metrics }: Props) {
  const { data, error, refetch } = useQuery(chartRunsOptions(experiment.id, parameters))
  const runs = data?.runs.filter(({ runUuid }) => runUuids.includes(runUuid))
  const title = counted(runUuids.length, 'run')
  return (
    <SidePane label="Runs behind the point" title={title} subtitle="Selected point">
      {error && <ErrorNotice title="The runs could not be loaded" error={error} onRetry={() => void refetch()} />}
      {!runs && !error && <Skeleton height={120} />}
      {runs && runs.length < runUuids.length && (
        <p className={classes.counts}>{runUuids.length - runs.length} excluded by filters.</p>
      )}
      {data && runs && runs.length > 0 && (
        <ExportPart
          experiment={experiment}
          scope={{ parameters, version: data.version }}
          part={{ runUuids: runs.map(({ runUuid }) => runUuid) }}
          title={`${title}, overlapping`}
          quote={() => quoteRuns(runs, metrics)}
          metrics={metrics}
        />
      )}
      {runs && <MeasuredRunLines runs={runs} metrics={metrics} />}
    </SidePane>
  )
}
