import { describeCounts } from '#src/ui/status-marks.ts'
import type { CellPosition } from './heatmap-geometry.ts'
import { type HeatmapMatrix, groupLabel } from './heatmap-matrix.ts'

export function readCell(matrix: HeatmapMatrix, { row, column }: CellPosition) {
  const line = matrix.rows[row]
  const group = matrix.groups[column]
  if (!line || !group) return null
  return { test: line.test, group: groupLabel(group.group), runs: group.runs, counts: line.cells[column] }
}

/** The text a screen reader reads when a cell gets the focus. */
export function describeCell(matrix: HeatmapMatrix, position: CellPosition) {
  const cell = readCell(matrix, position)
  if (!cell) return ''
  return `${cell.test}, ${cell.group}: ${cell.counts ? describeCounts(cell.counts) : 'not run'}`
}

/** The full name of a shortened label. */
export function describeLabel(matrix: HeatmapMatrix, label: { row: number } | { column: number } | null) {
  if (!label) return undefined
  if ('row' in label) return matrix.rows[label.row]?.test
  const group = matrix.groups[label.column]
  return group && groupLabel(group.group)
}
