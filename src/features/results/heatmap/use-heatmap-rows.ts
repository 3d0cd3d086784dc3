import { useMemo } from 'react'

import type { HeatmapSummary } from '#contract/charts.ts'
import { toMatrix } from '#src/charts/heatmap/heatmap-matrix.ts'
import { rowOrder, sortGroups, sortRows } from '#src/charts/heatmap/heatmap-order.ts'
import { buildTree, foldersAround, foldersOf, shownRows, sortTree } from '#src/charts/heatmap/heatmap-tree.ts'
import type { SelectedCell } from '#src/features/results/view/results-parameters.ts'
import { type HeatmapState, openFolders, pairOf } from './heatmap-parameters.ts'

type Shown = {
  state: HeatmapState
  taskOf: ReadonlyMap<string, string> | null
  isSearched: boolean
  /** Its folders are open, so that a link to a cell shows it. */
  cell: SelectedCell | null
}

/** The rows and columns of a heatmap in the order of the URL: as a flat matrix, and as the visible rows of a tree. */
export function useHeatmapRows(data: HeatmapSummary, { state, taskOf, isSearched, cell }: Shown) {
  const { sort, columns, left, right, open: asked } = state
  const groups = useMemo(() => sortGroups(data.groups, data.cells, columns), [data, columns])
  const pair = useMemo(() => pairOf(groups, { left, right }), [groups, left, right])
  const matrix = useMemo(() => toMatrix(groups, data.cells), [groups, data])
  const flat = useMemo(() => sortRows(matrix, { sort, pair }), [matrix, sort, pair])
  const tree = useMemo(() => buildTree(matrix.rows, taskOf), [matrix, taskOf])
  const sorted = useMemo(() => sortTree(tree, rowOrder({ sort, pair })), [tree, sort, pair])
  const folders = useMemo(() => foldersOf(tree), [tree])
  const tests = matrix.rows.length
  const test = cell?.test
  const open = useMemo(() => {
    const around = test === undefined ? [] : foldersAround(tree, test)
    return new Set([...openFolders(asked, { folders, tests, isSearched }), ...around])
  }, [asked, folders, tests, isSearched, tree, test])
  const rows = useMemo(() => shownRows(sorted, (id) => open.has(id)), [sorted, open])
  const shown = useMemo(() => ({ groups, rows }), [groups, rows])
  return { flat, shown, tree, folders, open, pair, tests }
}
