import { passRate } from '#contract/outcomes.ts'

import {
  type CellPosition,
  type HeatmapLabels,
  type HeatmapLayout,
  type Offset,
  type Size,
  cellOrigin,
  characterWidth,
  cutMiddle,
  headerLine,
  headerLines,
  visibleWindow,
} from './heatmap-geometry.ts'
import type { HeatmapMatrix } from './heatmap-matrix.ts'
import { type HeatmapPalette, cellText, scaleStep } from './heatmap-palette.ts'

export type HeatmapScene = {
  matrix: HeatmapMatrix
  labels: HeatmapLabels
  layout: HeatmapLayout
  viewport: Size
  scroll: Offset
  palette: HeatmapPalette
  /** Under the pointer or the keyboard. */
  active: CellPosition | null
  /** The item whose runs are in the side pane. */
  selected: CellPosition | null
}

type Pen = CanvasRenderingContext2D

const cellTextRoom = 66

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

type Span = { from: number; to: number }

function drawCells(pen: Pen, scene: HeatmapScene, seen: { rows: Span; columns: Span }) {
  const { matrix, layout, scroll, palette } = scene
  const hasRoom = layout.columnWidth >= cellTextRoom
  pen.font = `${palette.fontSize - 1}px ${palette.textFont}`
  pen.textAlign = 'center'
  for (let row = seen.rows.from; row < seen.rows.to; row += 1) {
    for (let column = seen.columns.from; column < seen.columns.to; column += 1) {
      const counts = matrix.rows[row]?.cells[column]
      if (!counts) continue
      const { x, y } = cellOrigin(layout, scroll, { row, column })
      const rate = passRate(counts)
      const step = rate === null ? undefined : palette.scale[scaleStep(rate)]
      if (step) {
        pen.fillStyle = step.fill
        pen.fillRect(x + 0.5, y + 0.5, layout.columnWidth - 1, layout.rowHeight - 1)
      }
      pen.fillStyle = step?.ink ?? palette.gap
      pen.fillText(cellText(counts, hasRoom), x + layout.columnWidth / 2, y + layout.rowHeight / 2 + 0.5)
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

function drawTestLabels(pen: Pen, { labels, layout, viewport, scroll, palette, active }: HeatmapScene, rows: Span) {
  const room = Math.floor((layout.labelWidth - 20) / characterWidth)
  inside(pen, { x: 0, y: layout.headerHeight, width: layout.labelWidth, height: viewport.height }, () => {
    pen.font = `${palette.fontSize}px ${palette.monoFont}`
    pen.textAlign = 'left'
    for (let row = rows.from; row < rows.to; row += 1) {
      const { y } = cellOrigin(layout, scroll, { row, column: 0 })
      pen.fillStyle = active?.row === row ? palette.accent : palette.text
      pen.fillText(cutMiddle(labels.tests[row] ?? '', room), 8, y + layout.rowHeight / 2 + 0.5)
    }
  })
}

function drawGroupLabels(pen: Pen, scene: HeatmapScene, columns: Span) {
  const { matrix, labels, layout, viewport, scroll, palette, active } = scene
  inside(pen, { x: layout.labelWidth, y: 0, width: viewport.width, height: layout.headerHeight }, () => {
    for (let column = columns.from; column < columns.to; column += 1) {
      const group = matrix.groups[column]
      if (!group) continue
      const { x } = cellOrigin(layout, scroll, { row: 0, column })
      const ink = active?.column === column ? palette.accent : palette.text
      const label = labels.groups[column] ?? ''
      if (layout.headerIsFlat) drawFlatLabel(pen, scene, x, label, group.runs, ink)
      else drawUprightLabel(pen, scene, x, label, ink)
    }
  })
}

function drawFlatLabel(
  pen: Pen,
  { layout, palette }: HeatmapScene,
  x: number,
  label: string,
  runs: number,
  ink: string,
) {
  const room = Math.floor((layout.columnWidth - 10) / characterWidth)
  const lines = headerLines(label)
  const bottom = layout.headerHeight - 8
  pen.textAlign = 'left'
  pen.font = `${palette.fontSize - 1}px ${palette.textFont}`
  pen.fillStyle = palette.dimmed
  pen.fillText(runs === 1 ? '1 run' : `${runs} runs`, x + 6, bottom - headerLine / 2)
  pen.font = `${palette.fontSize}px ${palette.monoFont}`
  pen.fillStyle = ink
  lines.forEach((line, index) =>
    pen.fillText(cutMiddle(line, room), x + 6, bottom - headerLine * (lines.length - index + 0.5)),
  )
}

function drawUprightLabel(pen: Pen, { layout, palette }: HeatmapScene, x: number, label: string, ink: string) {
  const room = Math.floor((layout.headerHeight - 16) / characterWidth)
  pen.save()
  pen.translate(x + layout.columnWidth / 2 + 1, layout.headerHeight - 8)
  pen.rotate(-Math.PI / 2)
  pen.textAlign = 'left'
  pen.font = `${palette.fontSize}px ${palette.monoFont}`
  pen.fillStyle = ink
  pen.fillText(cutMiddle(label, room), 0, 0)
  pen.restore()
}

/** Hairlines between the labels and the cells. */
function drawFrame(pen: Pen, { layout, viewport, palette }: HeatmapScene) {
  pen.fillStyle = palette.line
  pen.fillRect(0, layout.headerHeight - 1, viewport.width, 1)
  pen.fillRect(layout.labelWidth - 1, 0, 1, viewport.height)
}

function inside(pen: Pen, box: Offset & Size, draw: () => void) {
  pen.save()
  pen.beginPath()
  pen.rect(box.x, box.y, box.width, box.height)
  pen.clip()
  draw()
  pen.restore()
}
