import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import type { HeatmapParameters, HeatmapRun } from '#contract/charts.ts'
import type { Experiment } from '#contract/experiments.ts'
import { countOutcomes } from '#contract/outcomes.ts'
import { nameOfAxes } from '#src/format/ids.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import { unsharedNames } from '#src/charts/unshared-names.ts'
import { chartOptions, heatmapRunsOptions } from '#src/api/charts.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { cellSql } from '#src/shared/copy-as/chart-sql.ts'
import { milliseconds } from '#src/format/durations.ts'
import { counted } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { OutcomeBar } from '#src/ui/OutcomeBar.tsx'
import { describeCounts } from '#src/ui/status-marks.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import { LoadMore } from '#src/ui/LoadMore.tsx'

import { CellRun } from './CellRun.tsx'
import { chartCurl } from '#src/features/results/view/copy-results.ts'
import type { SelectedCell } from '#src/features/results/view/results-parameters.ts'
import { groupRunFilters } from '#src/shared/leaderboard/group-runs.ts'
import { SidePane } from '#src/features/results/view/SidePane.tsx'
import classes from '#src/features/results/view/SidePane.module.css'
import { ExportMenu } from '#src/features/results/view/ExportMenu.tsx'

type Props = { experiment: Experiment; parameters: HeatmapParameters; cell: SelectedCell }

/** The runs of one cell beside the chart. The URL contains the cell. */
export function CellPane({ experiment, parameters, cell }: Props) {
  const experimentId = experiment.id
  const summary = useQuery(chartOptions('tests', experimentId, parameters)).data
  const scope = summary && { parameters, version: summary.version }
  const {
    rows: runs,
    firstPage,
    error,
    retry,
    more,
  } = useInfiniteList(heatmapRunsOptions(experimentId, parameters, { groupValue: cell.group, testName: cell.test }))
  const names = unsharedNames(runs?.map(({ variantId }) => nameOfAxes(variantId)) ?? [])
  const total = firstPage?.total ?? 0
  const groupFilters = summary && groupRunFilters(parameters, cell.group, summary.version)
  return (
    <SidePane label="Runs behind the cell" title={cell.test} subtitle={groupLabel(cell.group)}>
      {error && <ErrorNotice title="The runs could not be loaded" error={error} onRetry={retry} />}
      {!runs && !error && <Skeleton height={120} />}
      {runs && (
        <div className={classes.counts}>
          <OutcomeBar counts={countOutcomes(runs.map(({ outcome }) => outcome))} text="counts" />
          <span>
            {runs.length < total ? `${runs.length} of ${counted(total, 'run')}` : counted(total, 'run')}
            {groupFilters && (
              <>
                {' · '}
                <TextLink href={paths.experiment(experimentId, 'runs', groupFilters)}>all runs of this group</TextLink>
              </>
            )}
          </span>
        </div>
      )}
      {runs && scope && (
        <div className={classes.exportMenu}>
          <ExportMenu
            experiment={experiment}
            scope={scope}
            shown={{
              title: `${cell.test}, ${groupLabel(cell.group)}`,
              quote: () => quoteCell(cell, runs, total),
              curl: () =>
                chartCurl(experimentId, 'tests', parameters, {
                  resultView: 'runs',
                  groupValue: cell.group,
                  testName: cell.test,
                }),
              sql: () => cellSql(scope, cell),
              part: { groups: [cell.group] },
            }}
          />
        </div>
      )}
      <ul className={classes.list}>
        {runs?.map((run, place) => (
          <CellRun key={run.runId} run={run} name={names[place] ?? ''} testName={cell.test} />
        ))}
      </ul>
      <LoadMore more={more} />
    </SidePane>
  )
}

const quoteCell = ({ test, group }: SelectedCell, runs: readonly HeatmapRun[], total: number) =>
  [
    `${test} · ${groupLabel(group)}: ${describeCounts(countOutcomes(runs.map(({ outcome }) => outcome)))}`,
    ...runs.map(
      ({ outcome, variantId, repeat, durationMs }) =>
        `${outcome}  ${nameOfAxes(variantId)} #${repeat}  ${milliseconds(durationMs)}`,
    ),
    ...(runs.length < total ? [`… ${total - runs.length} more`] : []),
  ].join('\n')
