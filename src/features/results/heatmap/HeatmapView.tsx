import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { HeatmapSummary } from '#contract/charts.ts'
import { chartOptions } from '#src/api/charts.ts'
import type { CellPosition } from '#src/charts/heatmap/heatmap-geometry.ts'
import { groupLabel, type HeatmapMatrix, sortRows, toMatrix } from '#src/charts/heatmap/heatmap-matrix.ts'
import { cellText } from '#src/charts/heatmap/heatmap-palette.ts'
import { HeatmapCanvas } from '#src/charts/heatmap/HeatmapCanvas.tsx'
import { HeatmapTable } from '#src/charts/heatmap/HeatmapTable.tsx'
import { tableText } from '#src/clip/clip-quote.ts'
import { heatmapSql } from '#src/copy-as/chart-sql.ts'
import { counted, emptyValue } from '#src/format/numbers.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { UrlSelect } from '#src/features/results/view/UrlSelect.tsx'
import { chartCurl } from '#src/features/results/view/copy-results.ts'
import { NoFinishedRuns } from '#src/features/results/view/NoFinishedRuns.tsx'
import { ResultsBar } from '#src/features/results/view/ResultsBar.tsx'
import { type ViewProps, ViewState } from '#src/features/results/view/ViewState.tsx'
import { OutcomeGlyph } from '#src/ui/OutcomeGlyph.tsx'
import classes from '#src/features/results/view/ResultsTab.module.css'

/** Explains how to read a cell. */
const HeatmapLegend = () => (
  <p className={classes.legend}>
    <span>
      <OutcomeGlyph outcome="passed" /> All counted tests passed
    </span>
    <span>
      <OutcomeGlyph outcome="failed" /> None passed
    </span>
    <span>Number: % passed, without skipped runs; “3/5” = passed/total, if it fits</span>
    <span>– Only skipped</span>
    <span>Blank: no runs</span>
  </p>
)

const sorts = [
  { value: 'name', label: 'By name' },
  { value: 'failures', label: 'Most failing first' },
  { value: 'flaky', label: 'Most flaky first' },
]

/** The heatmap of tests by group. A click on a cell opens its runs. */
export function HeatmapView(props: ViewProps) {
  const { experiment, state, refetchInterval } = props
  const summary = useQuery({
    ...chartOptions('tests', experiment.id, state.parameters),
    placeholderData: keepPreviousData,
    refetchInterval,
  })
  return (
    <ViewState label="Tests by group" query={summary}>
      {(data) => <Tests {...props} data={data} />}
    </ViewState>
  )
}

function Tests({ experiment, state, data }: ViewProps & { data: HeatmapSummary }) {
  const url = useQueryState()
  const { sort, cell, as } = state
  const matrix = useMemo(() => sortRows(toMatrix(data.groups, data.cells), sort), [data, sort])
  const select = ({ row, column }: CellPosition) => {
    const test = matrix.rows[row]?.test
    const group = matrix.groups[column]?.group
    if (test !== undefined && group !== undefined) url.push({ test, test_group: group, group: null })
  }
  const selected = cell && {
    row: matrix.rows.findIndex(({ test }) => test === cell.test),
    column: matrix.groups.findIndex(({ group }) => group === cell.group),
  }
  const runs = data.groups.reduce((sum, group) => sum + group.runs, 0)
  const extent = `${counted(matrix.rows.length, 'test')} × ${counted(data.groups.length, 'group')}, ${counted(runs, 'run')}`
  const scope = { parameters: state.parameters, version: data.version }
  const shown = {
    title: 'tests by group',
    quote: () => `${extent}\n\n${quoteMatrix(matrix)}`,
    curl: () => chartCurl(experiment.id, 'tests', state.parameters),
    sql: () => heatmapSql(scope),
  }
  if (matrix.rows.length === 0)
    return (
      <NoFinishedRuns
        experimentId={experiment.id}
        parameters={state.parameters}
        runs={runs}
        testAware={data.excludedTestAwareRuns}
      />
    )
  const Chart = as === 'table' ? HeatmapTable : HeatmapCanvas
  return (
    <>
      <ResultsBar {...{ experiment, scope, extent, as, shown }} excludedTestAwareRuns={data.excludedTestAwareRuns}>
        <UrlSelect label="Sort tests" param="sort" value={sort} choices={sorts} />
      </ResultsBar>
      <Chart matrix={matrix} selected={selected} onSelect={select} />
      {as === 'chart' && <HeatmapLegend />}
    </>
  )
}

/** The matrix in the shown order, each cell as passed tests of all counted ones. */
const quoteMatrix = ({ groups, rows }: HeatmapMatrix) =>
  tableText(
    ['test', ...groups.map(({ group }) => groupLabel(group))],
    rows.map(({ test, cells }) => [
      test,
      ...groups.map((_, place) => (cells[place] ? cellText(cells[place], true) : emptyValue)),
    ]),
  )
