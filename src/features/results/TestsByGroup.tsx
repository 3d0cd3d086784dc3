import { Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { Experiment } from '#contract/experiments.ts'
import type { HeatmapSummary } from '#contract/charts.ts'
import type { CellPosition } from '#src/charts/heatmap/heatmap-geometry.ts'
import { sortRows, toMatrix } from '#src/charts/heatmap/heatmap-matrix.ts'
import { HeatmapCanvas } from '#src/charts/heatmap/HeatmapCanvas.tsx'
import { HeatmapTable } from '#src/charts/heatmap/HeatmapTable.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { paths } from '#src/paths.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { HeatmapLegend } from './HeatmapLegend.tsx'
import { type ResultsState, isFiltered } from './results-parameters.ts'
import { ResultsBar } from './ResultsBar.tsx'
import classes from './ResultsTab.module.css'

type Props = { experiment: Experiment; state: ResultsState; summary: UseQueryResult<HeatmapSummary> }

export function TestsByGroup({ experiment, state, summary: { data, error, refetch, isPlaceholderData } }: Props) {
  const url = useQueryState()
  const { sort, cell, view, parameters } = state
  const matrix = useMemo(() => data && sortRows(toMatrix(data.groups, data.cells), sort), [data, sort])
  const select = ({ row, column }: CellPosition) => {
    const test = matrix?.rows[row]?.test
    const group = matrix?.groups[column]?.group
    if (test !== undefined && group !== undefined) url.push({ test, group })
  }
  if (error)
    return (
      <div className={classes.main}>
        <ErrorNotice title="The results could not be loaded" error={error} onRetry={() => void refetch()} />
      </div>
    )
  if (!data || !matrix) return <Skeleton height={360} className={classes.main} />
  const selected = cell && {
    row: matrix.rows.findIndex(({ test }) => test === cell.test),
    column: matrix.groups.findIndex(({ group }) => group === cell.group),
  }
  const Chart = view === 'table' ? HeatmapTable : HeatmapCanvas
  return (
    <section className={classes.main} aria-label="Tests by group" aria-busy={isPlaceholderData}>
      <ResultsBar experiment={experiment} summary={data} testCount={matrix.rows.length} view={view} sort={sort} />
      {matrix.rows.length > 0 ? (
        <>
          <Chart matrix={matrix} selected={selected} onSelect={select} />
          {view === 'chart' && <HeatmapLegend />}
        </>
      ) : (
        <EmptyState
          title={isFiltered(parameters) ? 'No finished run or test matches' : 'No finished run yet'}
          hint={isFiltered(parameters) ? 'Fewer filters may show some.' : 'Results appear as runs finish.'}
          action={!isFiltered(parameters) && <TextLink href={paths.submit(experiment.id)}>Submit runs</TextLink>}
        />
      )}
    </section>
  )
}
