import type { CellPosition } from './heatmap-geometry.ts'
import { type ShownRow, parentOf } from './heatmap-tree.ts'

type Move = { to: CellPosition; toggles?: string }

/**
 * What the left and right arrows do at the name of a row, as in the ARIA pattern of a treegrid: right opens a closed
 * folder, left closes an open one or goes to the folder around the row. Null where they move from cell to cell.
 */
export function moveInTree(rows: readonly ShownRow[], from: CellPosition, key: string): Move | null {
  const row = rows[from.row]
  if (!row || from.column >= 0) return null
  if (key === 'ArrowRight' && row.isOpen === false) return { to: from, toggles: row.id }
  if (key !== 'ArrowLeft') return null
  if (row.isOpen) return { to: from, toggles: row.id }
  const parent = parentOf(rows, from.row)
  return { to: { row: parent < 0 ? from.row : parent, column: -1 } }
}
