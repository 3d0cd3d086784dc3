import { Button, Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'

import type { ChartMetric, ChartParameters } from '#contract/charts.ts'
import type { Experiment } from '#contract/experiments.ts'
import { chartRunsOfGroupOptions } from '#src/api/charts.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import { counted } from '#src/format/numbers.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { quoteRuns } from './quote-runs.ts'
import { groupLabels } from './results-parameters.ts'
import { RunLines } from './RunLines.tsx'
import { SidePane } from './SidePane.tsx'
import classes from './SidePane.module.css'
import { ExportPart } from './ExportPart.tsx'

type Props = { experiment: Experiment; parameters: ChartParameters; group: string; metrics: readonly ChartMetric[] }

/** The runs of one group. */
export function GroupPane({ experiment, parameters, group, metrics }: Props) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    chartRunsOfGroupOptions(experiment.id, parameters, group),
  )
  const runs = data?.pages.flatMap((page) => page.runs)
  const first = data?.pages[0]
  const total = first?.total ?? 0
  return (
    <SidePane label="Runs of the group" title={groupLabel(group)} subtitle={groupLabels[parameters.groupBy]}>
      {error && <ErrorNotice title="The runs could not be loaded" error={error} onRetry={() => void refetch()} />}
      {!runs && !error && <Skeleton height={120} />}
      {runs && (
        <p className={classes.counts}>
          {runs.length < total ? `${runs.length} of ${counted(total, 'run')}` : counted(total, 'run')}, last ended first
        </p>
      )}
      {runs && first && (
        <ExportPart
          experiment={experiment}
          scope={{ parameters, version: first.version }}
          part={{ groups: [group] }}
          title={`runs of ${groupLabel(group)}`}
          quote={() => quoteRuns(runs, metrics, total)}
          metrics={metrics}
        />
      )}
      {runs && <RunLines runs={runs} metrics={metrics} />}
      {hasNextPage && (
        <Button variant="default" flex="none" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Load more
        </Button>
      )}
    </SidePane>
  )
}
