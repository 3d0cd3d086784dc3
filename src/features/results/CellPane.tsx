import { Button, CloseButton, Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'

import type { HeatmapParameters } from '#contract/charts.ts'
import { countOutcomes } from '#contract/outcomes.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import { heatmapRunsOptions } from '#src/api/insights.ts'
import { counted } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { OutcomeBar } from '#src/ui/OutcomeBar.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import classes from './CellPane.module.css'
import { CellRun } from './CellRun.tsx'
import { type SelectedCell, groupRunFilters } from './results-parameters.ts'

type Props = { experimentId: string; parameters: HeatmapParameters; cell: SelectedCell }

/** The runs behind one cell, beside the chart and with an address of its own. */
export function CellPane({ experimentId, parameters, cell }: Props) {
  const url = useQueryState()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    heatmapRunsOptions(experimentId, parameters, { groupValue: cell.group, testName: cell.test }),
  )
  const runs = data?.pages.flatMap((page) => page.runs)
  const total = data?.pages[0]?.total ?? 0
  const groupFilters = groupRunFilters(parameters.groupBy, cell.group)
  return (
    <aside className={classes.pane} aria-label="Runs behind the cell">
      <header className={classes.header}>
        <div className={classes.names}>
          <h2 className={classes.test}>{cell.test}</h2>
          <p className={classes.group}>{groupLabel(cell.group)}</p>
        </div>
        <CloseButton aria-label="Close" onClick={() => url.push({ test: null, group: null })} />
      </header>
      {error && <ErrorNotice title="The runs could not be loaded" error={error} onRetry={() => void refetch()} />}
      {!runs && !error && <Skeleton height={120} />}
      {runs && (
        <div className={classes.counts}>
          <OutcomeBar counts={countOutcomes(runs.map(({ outcome }) => outcome))} text="counts" />
          <span>
            {runs.length < total ? `${runs.length} of ${counted(total, 'run')}` : counted(total, 'run')}
            {groupFilters && (
              <>
                {' · '}
                <TextLink
                  href={paths.experiment(experimentId, 'runs', { ...groupFilters, version_scope: parameters.version })}
                >
                  all runs of this group
                </TextLink>
              </>
            )}
          </span>
        </div>
      )}
      <ul className={classes.list}>
        {runs?.map((run) => (
          <CellRun key={run.runId} run={run} testName={cell.test} />
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="default" flex="none" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Load more
        </Button>
      )}
    </aside>
  )
}
