import { passRate } from '#contract/outcomes.ts'

import { drawGroupLabels, drawTestLabels } from './draw-labels.ts'
import { type CellPosition, cellOrigin, visibleWindow } from './heatmap-geometry.ts'
import { cellText, scaleStep } from './heatmap-palette.ts'
import type { HeatmapScene, Pen, Span } from './heatmap-scene.ts'

/** Of the letters in a cell, which are narrower than those of labels. */
const cellCharacter = 6.3

/** Draws only the visible part, so the cost depends on the screen and not on the data. */
export function drawHeatmap(pen: Pen, scene: HeatmapScene) {
  const { matrix, layout, viewport, scroll, palette } = scene
  const seen = visibleWindow(layout, scroll, viewport, { rows: matrix.rows.length, columns: matrix.groups.length })
  pen.clearRect(0, 0, viewport.width, viewport.height)
  pen.textBaseline = 'middle'
  // Letter spacing disables the ligatures of the monospace font, because test names are read character by character.
  pen.letterSpacing = '0.01px'
  drawCells(pen, scene, seen)
  outline(pen, scene, scene.selected, palette.accent, 2)
  outline(pen, scene, scene.active, palette.text, 1.5)
  pen.fillStyle = palette.body
  pen.fillRect(0, 0, viewport.width, layout.headerHeight)
  pen.fillRect(0, 0, layout.labelWidth, viewport.height)
  drawTestLabels(pen, scene, seen.rows)
  drawGroupLabels(pen, scene, seen.columns)
  drawFrame(pen, scene)
}

/** The sums of an open folder have no color: the tests below show where they come from. */
function drawCells(pen: Pen, scene: HeatmapScene, seen: { rows: Span; columns: Span }) {
  const { matrix, layout, scroll, palette } = scene
  pen.font = `${palette.fontSize - 1}px ${palette.textFont}`
  pen.textAlign = 'center'
  for (let row = seen.rows.from; row < seen.rows.to; row += 1) {
    const line = matrix.rows[row]
    const rowRate = line ? passRate(line.total) : null
    for (let column = seen.columns.from; column < seen.columns.to; column += 1) {
      const counts = line?.cells[column]
      if (!counts) continue
      const { x, y } = cellOrigin(layout, scroll, { row, column })
      const rate = passRate(counts)
      const step =
        rate === null || line.isOpen ? undefined : palette.scale[scaleStep(rate, rowRate, matrix.groups.length)]
      if (step) {
        pen.fillStyle = step.fill
        pen.fillRect(x + 0.5, y + 0.5, layout.columnWidth - 1, layout.rowHeight - 1)
      }
      pen.fillStyle = step?.ink ?? (rate === null ? palette.gap : palette.dimmed)
      const long = cellText(counts, true)
      const text = long.length * cellCharacter <= layout.columnWidth - 4 ? long : cellText(counts, false)
      pen.fillText(text, x + layout.columnWidth / 2, y + layout.rowHeight / 2 + 0.5)
    }
  }
}

function outline(pen: Pen, { layout, scroll }: HeatmapScene, cell: CellPosition | null, color: string, width: number) {
  if (!cell) return
  const { x, y } = cellOrigin(layout, scroll, cell)
  pen.strokeStyle = color
  pen.lineWidth = width
  pen.strokeRect(x + 1, y + 1, layout.columnWidth - 2, layout.rowHeight - 2)
}

/** Hairlines between the labels and the cells. */
function drawFrame(pen: Pen, { layout, viewport, palette }: HeatmapScene) {
  pen.fillStyle = palette.line
  pen.fillRect(0, layout.headerHeight - 1, viewport.width, 1)
  pen.fillRect(layout.labelWidth - 1, 0, 1, viewport.height)
}
