import { describeCounts } from '#src/ui/status-marks.ts'
import { counted } from '#src/format/numbers.ts'
import type { CellPosition } from './heatmap-geometry.ts'
import { type HeatmapMatrix, groupLabel } from './heatmap-matrix.ts'
import type { ShownRow } from './heatmap-tree.ts'

type Matrix = HeatmapMatrix<ShownRow>

/** What a tooltip says of a cell, or of a whole row at its name. */
export function readCell(matrix: Matrix, { row, column }: CellPosition) {
  const line = matrix.rows[row]
  if (!line) return null
  const tests = line.isOpen === null ? null : counted(line.tests, 'test')
  if (column < 0) return { test: line.test, group: 'All groups', tests, counts: line.total }
  const group = matrix.groups[column]
  return group ? { test: line.test, group: groupLabel(group.group), tests, counts: line.cells[column] } : null
}

/** The text a screen reader reads when a cell or the name of a row gets the focus. */
export function describeCell(matrix: Matrix, position: CellPosition) {
  const cell = readCell(matrix, position)
  if (!cell) return ''
  const { level = 0, isOpen = null } = matrix.rows[position.row] ?? {}
  const folder = isOpen === null ? '' : `, ${isOpen ? 'open' : 'closed'}, ${cell.tests}`
  const place = position.column < 0 && (level > 0 || isOpen !== null) ? `, level ${level + 1}` : ''
  return `${cell.test}${folder}${place}, ${cell.group}: ${cell.counts ? describeCounts(cell.counts) : 'not run'}`
}

/** The full name of a shortened label. */
export function describeLabel(matrix: Matrix, label: { row: number } | { column: number } | null) {
  if (!label) return undefined
  if ('row' in label) return matrix.rows[label.row]?.test
  const group = matrix.groups[label.column]
  return group && groupLabel(group.group)
}
