import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import type { ChartMetric, ChartParameters } from '#contract/charts.ts'
import { chartRunsOptions } from '#src/api/charts.ts'
import { counted } from '#src/format/numbers.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { RunLine } from './RunLine.tsx'
import { SidePane } from './SidePane.tsx'
import classes from './SidePane.module.css'

type Props = {
  experimentId: string
  parameters: ChartParameters
  runIds: readonly string[]
  metrics: readonly ChartMetric[]
}

/** The runs behind points that were clicked together, because they lie in one place. */
export function PointsPane({ experimentId, parameters, runIds, metrics }: Props) {
  const { data, error, refetch } = useQuery(chartRunsOptions(experimentId, parameters))
  const runs = data?.runs.filter(({ runId }) => runIds.includes(runId))
  return (
    <SidePane label="Runs behind the point" title={counted(runIds.length, 'run')} subtitle="At the point you chose">
      {error && <ErrorNotice title="The runs could not be loaded" error={error} onRetry={() => void refetch()} />}
      {!runs && !error && <Skeleton height={120} />}
      {runs && runs.length < runIds.length && (
        <p className={classes.counts}>{runIds.length - runs.length} of them are outside the filters.</p>
      )}
      <ul className={classes.list}>
        {runs?.map((run) => (
          <RunLine key={run.runId} run={run} metrics={metrics} />
        ))}
      </ul>
    </SidePane>
  )
}
