import { Skeleton } from '@mantine/core'

import type { ChartMeasure, ScatterParameters } from '#contract/charts.ts'
import type { Experiment } from '#contract/experiments.ts'
import { chartRunsOfGroupOptions } from '#src/api/charts.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import { counted } from '#src/format/numbers.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { LoadMore } from '#src/ui/LoadMore.tsx'
import { quoteRuns } from './quote-runs.ts'
import { groupLabelOf } from './results-parameters.ts'
import { MeasuredRunLines } from './RunLines.tsx'
import { SidePane } from './SidePane.tsx'
import classes from './SidePane.module.css'
import { ExportPart } from './ExportPart.tsx'

type Props = { experiment: Experiment; parameters: ScatterParameters; group: string; metrics: readonly ChartMeasure[] }

/** The runs of one group. */
export function GroupPane({ experiment, parameters, group, metrics }: Props) {
  const {
    rows: runs,
    firstPage,
    error,
    retry,
    more,
  } = useInfiniteList(chartRunsOfGroupOptions(experiment.id, parameters, group))
  const total = firstPage?.total ?? 0
  return (
    <SidePane label="Runs of the group" title={groupLabel(group)} subtitle={groupLabelOf(parameters.groupBy)}>
      {error && <ErrorNotice title="The runs could not be loaded" error={error} onRetry={retry} />}
      {!runs && !error && <Skeleton height={120} />}
      {runs && (
        <p className={classes.counts}>
          {runs.length < total ? `${runs.length} of ${counted(total, 'run')}` : counted(total, 'run')}, newest first
        </p>
      )}
      {runs && firstPage && (
        <ExportPart
          experiment={experiment}
          scope={{ parameters, version: firstPage.version }}
          part={{ groups: [group] }}
          title={`runs of ${groupLabel(group)}`}
          quote={() => quoteRuns(runs, metrics, total)}
          metrics={metrics}
        />
      )}
      {runs && <MeasuredRunLines runs={runs} metrics={metrics} />}
      <LoadMore more={more} />
    </SidePane>
  )
}
