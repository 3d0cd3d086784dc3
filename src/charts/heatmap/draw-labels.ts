import { passRate } from '#contract/outcomes.ts'
import { cutMiddle } from '#src/charts/cut-names.ts'
import { counted, percent } from '#src/format/numbers.ts'
import {
  type Offset,
  type Size,
  cellOrigin,
  characterWidth,
  headerAngle,
  headerCharacter,
  headerLine,
  headerLines,
  headerPadding,
  headerParts,
  indent,
  rowIndent,
  risingLines,
  risingRoom,
} from './heatmap-geometry.ts'
import { nameInRoom } from './heatmap-labels.ts'
import type { HeatmapScene, Pen, Span } from './heatmap-scene.ts'

/** The names of the visible rows, moved to the right by their level in the tree. */
export function drawTestLabels(pen: Pen, scene: HeatmapScene, rows: Span) {
  const { matrix, labels, layout, viewport, scroll, palette, active } = scene
  inside(pen, { x: 0, y: layout.headerHeight, width: layout.labelWidth, height: viewport.height }, () => {
    pen.font = `${palette.fontSize}px ${palette.monoFont}`
    pen.textAlign = 'left'
    for (let row = rows.from; row < rows.to; row += 1) {
      const label = labels.tests[row]
      if (!label) continue
      const middle = cellOrigin(layout, scroll, { row, column: 0 }).y + layout.rowHeight / 2
      const left = 8 + rowIndent(label)
      const isOpen = matrix.rows[row]?.isOpen ?? null
      pen.fillStyle = active?.row === row ? palette.accent : palette.text
      if (isOpen !== null) drawArrow(pen, left - indent / 2 - 2, middle, isOpen)
      const room = Math.floor((layout.labelWidth - left - 12 - layout.totalWidth) / characterWidth)
      const text = nameInRoom(labels.tests, row, room)
      pen.fillText(text, left, middle + 0.5)
      drawDetail(pen, scene, label.detail, { x: left + (text.length + 1) * characterWidth, y: middle + 0.5 })
      drawTotal(pen, scene, row, middle + 0.5)
      if (active?.row === row && active.column < 0) {
        pen.strokeStyle = palette.text
        pen.lineWidth = 1.5
        pen.strokeRect(1, middle - layout.rowHeight / 2 + 1, layout.labelWidth - 3, layout.rowHeight - 2)
      }
    }
  })
}

/** The pass rate of a whole row, at the end of its label. */
function drawTotal(pen: Pen, { matrix, layout, palette }: HeatmapScene, row: number, y: number) {
  const line = matrix.rows[row]
  const rate = line ? passRate(line.total) : null
  if (rate === null || layout.totalWidth === 0) return
  pen.save()
  pen.font = `${palette.fontSize - 1}px ${palette.textFont}`
  pen.textAlign = 'right'
  pen.fillStyle = palette.dimmed
  pen.fillText(percent(rate), layout.labelWidth - 8, y)
  pen.restore()
}

const leastDetail = 6

/** The rest of a name, dimmed and cut at its end. */
function drawDetail(pen: Pen, { layout, palette }: HeatmapScene, detail: string | undefined, { x, y }: Offset) {
  const room = Math.floor((layout.labelWidth - x - 8 - layout.totalWidth) / characterWidth)
  if (!detail || room < Math.min(leastDetail, detail.length)) return
  pen.fillStyle = palette.dimmed
  pen.fillText(detail.length <= room ? detail : `${detail.slice(0, room - 1)}…`, x, y)
}

/** To the right for a closed folder, down for an open one. */
function drawArrow(pen: Pen, x: number, y: number, isOpen: boolean) {
  pen.beginPath()
  if (isOpen) {
    pen.moveTo(x - 4, y - 2)
    pen.lineTo(x + 4, y - 2)
    pen.lineTo(x, y + 3)
  } else {
    pen.moveTo(x - 2, y - 4)
    pen.lineTo(x + 3, y)
    pen.lineTo(x - 2, y + 4)
  }
  pen.fill()
}

/** The names of the visible columns, with a line below the two that are compared. */
export function drawGroupLabels(pen: Pen, scene: HeatmapScene, columns: Span) {
  const { matrix, labels, layout, viewport, scroll, palette, active, compared } = scene
  inside(pen, { x: layout.labelWidth, y: 0, width: viewport.width, height: layout.headerHeight }, () => {
    for (let column = columns.from; column < columns.to; column += 1) {
      const group = matrix.groups[column]
      if (!group) continue
      const { x } = cellOrigin(layout, scroll, { row: 0, column })
      const ink = active?.column === column || compared.has(column) ? palette.accent : palette.text
      const label = labels.groups[column] ?? ''
      const rate = scene.rates[column] ?? null
      if (layout.headerIsFlat) drawFlatLabel(pen, scene, x, label, { runs: group.runs, rate }, ink)
      else drawRisingLabel(pen, scene, x, label, rate, ink)
      if (!compared.has(column)) continue
      pen.fillStyle = palette.accent
      pen.fillRect(x + 2, layout.headerHeight - 4, layout.columnWidth - 4, 3)
    }
  })
}

/** Two lines of one name, closer than two names of columns 30 pixels apart. */
const risingLine = 10.5

function drawFlatLabel(
  pen: Pen,
  { layout, palette }: HeatmapScene,
  x: number,
  label: string,
  { runs, rate }: { runs: number; rate: number | null },
  ink: string,
) {
  const room = Math.floor((layout.columnWidth - headerPadding) / headerCharacter)
  const lines = headerLines(label, layout.columnWidth) ?? headerParts(label)
  const bottom = layout.headerHeight - 8
  pen.textAlign = 'left'
  pen.font = `${palette.fontSize - 1}px ${palette.textFont}`
  pen.fillStyle = palette.dimmed
  const size = counted(runs, 'run')
  const whole = rate === null ? size : `${percent(rate)} · ${size}`
  const fits = rate === null || pen.measureText(whole).width <= layout.columnWidth - headerPadding
  pen.fillText(fits ? whole : percent(rate), x + 4, bottom - headerLine / 2)
  pen.font = `${palette.fontSize - 1}px ${palette.monoFont}`
  pen.fillStyle = ink
  lines.forEach((line, index) =>
    pen.fillText(cutMiddle(line, room), x + 4, bottom - headerLine * (lines.length - index + 0.5)),
  )
}

function drawRisingLabel(
  pen: Pen,
  { layout, palette }: HeatmapScene,
  x: number,
  label: string,
  rate: number | null,
  ink: string,
) {
  const middle = x + layout.columnWidth / 2
  if (rate !== null) {
    pen.textAlign = 'center'
    pen.font = `${palette.fontSize - 1}px ${palette.textFont}`
    pen.fillStyle = palette.dimmed
    pen.fillText(percent(rate).replace(' %', ''), middle, layout.headerHeight - headerLine + 4)
  }
  const lines = risingLines(label)
  const room = risingRoom(layout.headerHeight)
  pen.save()
  pen.translate(middle, layout.headerHeight - 8 - headerLine)
  pen.rotate(-headerAngle)
  pen.textAlign = 'left'
  pen.font = `${palette.fontSize - 1}px ${palette.monoFont}`
  pen.fillStyle = ink
  const step = risingLine * Math.min(1, layout.columnWidth / 30)
  lines.forEach((line, index) => {
    // Dimmed, so that a name of two lines is not read as two names.
    if (index > 0) pen.fillStyle = palette.dimmed
    pen.fillText(cutMiddle(line, room), 0, step * (index - (lines.length - 1) / 2))
  })
  pen.restore()
}

function inside(pen: Pen, box: Offset & Size, draw: () => void) {
  pen.save()
  pen.beginPath()
  pen.rect(box.x, box.y, box.width, box.height)
  pen.clip()
  draw()
  pen.restore()
}
