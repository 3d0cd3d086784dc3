import { Skeleton } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'

import type { HeatmapParameters, HeatmapSummary } from '#contract/charts.ts'
import { chartOptions } from '#src/api/charts.ts'
import type { CellPosition } from '#src/charts/heatmap/heatmap-geometry.ts'
import { groupLabel, type HeatmapMatrix } from '#src/charts/heatmap/heatmap-matrix.ts'
import { cellText } from '#src/charts/heatmap/heatmap-palette.ts'
import { foldersAround } from '#src/charts/heatmap/heatmap-tree.ts'
import { HeatmapCanvas } from '#src/charts/heatmap/HeatmapCanvas.tsx'
import { HeatmapTable } from '#src/charts/heatmap/HeatmapTable.tsx'
import { tableText } from '#src/shared/clip/clip-quote.ts'
import { heatmapSql } from '#src/shared/copy-as/chart-sql.ts'
import { counted, emptyValue } from '#src/format/numbers.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { chartCurl } from '#src/features/results/view/copy-results.ts'
import { NoFinishedRuns } from '#src/features/results/view/NoFinishedRuns.tsx'
import { ResultsBar } from '#src/features/results/view/ResultsBar.tsx'
import type { SelectedCell } from '#src/features/results/view/results-parameters.ts'
import { type ViewProps, ViewState } from '#src/features/results/view/ViewState.tsx'
import { OutcomeGlyph } from '#src/ui/OutcomeGlyph.tsx'
import classes from '#src/features/results/view/ResultsTab.module.css'
import type { Experiment } from '#contract/experiments.ts'
import { segmentsOf, tasksOf } from '#src/charts/heatmap/test-path.ts'
import { HeatmapControls } from './HeatmapControls.tsx'
import { readHeatmapState, writeOpen } from './heatmap-parameters.ts'
import { useHeatmapRows } from './use-heatmap-rows.ts'

/** Explains how to read a cell. */
const HeatmapLegend = ({ hasFolders }: { hasFolders: boolean }) => (
  <p className={classes.legend}>
    {hasFolders && <span data-unpublished>▸ Click or Enter opens a row; its cells count every test below it</span>}
    <span>
      <OutcomeGlyph outcome="passed" /> All counted tests passed
    </span>
    <span>
      <OutcomeGlyph outcome="failed" /> None passed
    </span>
    <span>Color: better or worse than the whole row by 10 points or more. A gray cell is like its row</span>
    <span>Below a group, and behind a test where there is room: the pass rate of all its cells</span>
    <span>Number: % passed, without skipped runs; “3/5” = passed/total, if it fits</span>
    <span>– Only skipped</span>
    <span>Blank: not run</span>
  </p>
)

/** The heatmap of tests by group, as a tree where names are paths. A click on a cell opens its runs. */
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
  const { taskOf, isLoading } = useTaskOfTest(experiment, state.parameters, data)
  if (isLoading) return <Skeleton height={360} />
  return <Rows {...{ experiment, state, data, taskOf }} />
}

type RowsProps = Pick<ViewProps, 'experiment' | 'state'> & {
  data: HeatmapSummary
  taskOf: ReadonlyMap<string, string> | null
}

function Rows({ experiment, state, data, taskOf }: RowsProps) {
  const url = useQueryState()
  const [search] = useSearchParams()
  const { cell, as, parameters } = state
  const heatmap = useMemo(() => readHeatmapState(search), [search])
  const isSearched = parameters.testSearch !== ''
  const rows = useHeatmapRows(data, { state: heatmap, taskOf, isSearched, cell })
  const { flat, shown: matrix, folders, open, pair, tests } = rows
  const compared = useMemo(
    () => new Set(heatmap.sort === 'difference' && pair ? [pair.left, pair.right] : []),
    [heatmap.sort, pair],
  )
  const select = ({ test, group }: SelectedCell) => url.push({ test, test_group: group, group: null })
  const selectAt = ({ row, column }: CellPosition) => {
    const test = matrix.rows[row]?.test
    const group = matrix.groups[column]?.group
    if (test !== undefined && group !== undefined) select({ test, group })
  }
  const toggle = (id: string) => {
    const isOpen = open.has(id)
    const next = new Set(isOpen ? [...open].filter((one) => one !== id) : [...open, id])
    // A closed folder hides the cell in the side pane, so the pane closes with it.
    const hidesCell = isOpen && cell !== null && foldersAround(rows.tree, cell.test).includes(id)
    url.set({ open: writeOpen(next, folders), ...(hidesCell && { test: null, test_group: null }) })
  }
  const selected = cell && {
    row: matrix.rows.findIndex(({ test, isOpen }) => isOpen === null && test === cell.test),
    column: matrix.groups.findIndex(({ group }) => group === cell.group),
  }
  const runs = data.groups.reduce((sum, group) => sum + group.runs, 0)
  const extent = `${counted(tests, 'test')} × ${counted(data.groups.length, 'group')}, ${counted(runs, 'run')}`
  const scope = { parameters, version: data.version }
  const shown = {
    title: 'tests by group',
    quote: () => `${extent}\n\n${quoteMatrix(as === 'table' ? flat : matrix)}`,
    curl: () => chartCurl(experiment.id, 'tests', parameters),
    sql: () => heatmapSql(scope),
  }
  if (tests === 0)
    return <NoFinishedRuns experimentId={experiment.id} parameters={parameters} runs={runs} omissions={data} />
  return (
    <>
      <ResultsBar {...{ experiment, scope, extent, as, shown }} omissions={data}>
        <HeatmapControls state={heatmap} groups={matrix.groups} {...{ pair, folders, open }} isChart={as === 'chart'} />
      </ResultsBar>
      {as === 'table' ? (
        <HeatmapTable
          matrix={flat}
          selected={cell}
          onSelect={select}
          sort={heatmap.tableSort}
          onSort={(table_sort) => url.set({ table_sort })}
          compared={heatmap.sort === 'difference' ? pair : null}
        />
      ) : (
        <>
          <HeatmapCanvas {...{ matrix, tests, selected, compared }} onSelect={selectAt} onToggle={toggle} />
          <HeatmapLegend hasFolders={folders.length > 0} />
        </>
      )}
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

/**
 * The prompt of each test where runs of different prompts have different tests. Tests whose names are paths already say
 * their task, so nothing is loaded for them.
 */
function useTaskOfTest(experiment: Experiment, parameters: HeatmapParameters, { tests }: HeatmapSummary) {
  const isNeeded = useMemo(
    () => experiment.axes.prompts.length > 1 && tests.some(({ test }) => segmentsOf(test).length === 1),
    [experiment.axes.prompts.length, tests],
  )
  const { data, isLoading } = useQuery({
    ...chartOptions('tests', experiment.id, { ...parameters, groupBy: 'prompt' }),
    enabled: isNeeded,
  })
  const taskOf = useMemo(() => (isNeeded && data ? tasksOf(data.cells) : null), [isNeeded, data])
  return { taskOf, isLoading }
}
