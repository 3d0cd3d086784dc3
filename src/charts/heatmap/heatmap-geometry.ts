/** The layout in CSS pixels. Labels are drawn over the scrolled cells, so they are always visible. */
export type HeatmapLayout = {
  labelWidth: number
  headerHeight: number
  columnWidth: number
  rowHeight: number
  width: number
  height: number
  /** Header labels are horizontal if a column is wide enough, and vertical otherwise. */
  headerIsFlat: boolean
}

export type CellPosition = { row: number; column: number }
export type Size = { width: number; height: number }
export type Offset = { x: number; y: number }

const rowHeight = 24
const minColumnWidth = 30
const maxColumnWidth = 150
const flatHeaderFrom = 84
export const characterWidth = 7.25
export const headerLine = 15

/** The drawn labels: one per row and one per column. */
export type HeatmapLabels = { tests: readonly string[]; groups: readonly string[] }

/** The parts of a variant id are stacked. */
export const headerLines = (label: string) => label.split('~')

export function layoutHeatmap({ tests, groups }: HeatmapLabels, viewport: Size): HeatmapLayout {
  const maxTestCharacters = tests.reduce((longest, { length }) => Math.max(longest, length), 0)
  const labelWidth = Math.round(
    Math.min(maxTestCharacters * characterWidth + 24, Math.max(110, viewport.width * 0.34), 360),
  )
  const columns = groups.length
  const free = Math.max(0, viewport.width - labelWidth)
  const columnWidth = clamp(Math.floor(free / Math.max(1, columns)), minColumnWidth, maxColumnWidth)
  const headerIsFlat = columnWidth >= flatHeaderFrom
  const maxLabelCharacters = Math.max(0, ...groups.map((label) => label.length))
  const lineCount = Math.max(1, ...groups.map((label) => headerLines(label).length))
  const headerHeight = headerIsFlat
    ? (lineCount + 1) * headerLine + 14
    : clamp(maxLabelCharacters * characterWidth + 20, 48, Math.max(90, Math.min(200, viewport.height * 0.4)))
  return {
    labelWidth,
    headerHeight: Math.round(headerHeight),
    columnWidth,
    rowHeight,
    headerIsFlat,
    width: labelWidth + columns * columnWidth,
    height: Math.round(headerHeight) + tests.length * rowHeight,
  }
}

/** The visible rows and columns: `from` inclusive, `to` exclusive. */
export function visibleWindow(layout: HeatmapLayout, scroll: Offset, viewport: Size, counts: CellCounts) {
  const span = (offset: number, room: number, size: number, count: number) => ({
    from: clamp(Math.floor(offset / size), 0, count),
    to: clamp(Math.ceil((offset + Math.max(0, room)) / size), 0, count),
  })
  return {
    rows: span(scroll.y, viewport.height - layout.headerHeight, layout.rowHeight, counts.rows),
    columns: span(scroll.x, viewport.width - layout.labelWidth, layout.columnWidth, counts.columns),
  }
}
export type CellCounts = { rows: number; columns: number }

/** The cell under a point of the viewport; null over labels and past the last cell. */
export function cellAt(layout: HeatmapLayout, scroll: Offset, point: Offset, counts: CellCounts): CellPosition | null {
  if (point.x < layout.labelWidth || point.y < layout.headerHeight) return null
  const column = Math.floor((point.x - layout.labelWidth + scroll.x) / layout.columnWidth)
  const row = Math.floor((point.y - layout.headerHeight + scroll.y) / layout.rowHeight)
  return row < counts.rows && column < counts.columns ? { row, column } : null
}

/** The test or group whose label is under a point; null over cells and empty corners. */
export function labelAt(layout: HeatmapLayout, scroll: Offset, point: Offset, counts: CellCounts) {
  const corner = { x: layout.labelWidth, y: layout.headerHeight }
  const inRow = cellAt(layout, { ...scroll, x: 0 }, { x: corner.x, y: point.y }, { ...counts, columns: Infinity })
  const inColumn = cellAt(layout, { ...scroll, y: 0 }, { x: point.x, y: corner.y }, { ...counts, rows: Infinity })
  if (point.x < corner.x) return inRow && { row: inRow.row }
  return point.y < corner.y ? inColumn && { column: inColumn.column } : null
}

/** A cell's top left corner in the viewport. */
export const cellOrigin = (layout: HeatmapLayout, scroll: Offset, { row, column }: CellPosition): Offset => ({
  x: layout.labelWidth + column * layout.columnWidth - scroll.x,
  y: layout.headerHeight + row * layout.rowHeight - scroll.y,
})

/** The smallest scroll that makes a cell fully visible beside the labels. */
export function scrollToCell(layout: HeatmapLayout, scroll: Offset, viewport: Size, cell: CellPosition): Offset {
  const reveal = (offset: number, start: number, size: number, room: number) =>
    clamp(offset, start + size - Math.max(size, room), start)
  return {
    x: reveal(scroll.x, cell.column * layout.columnWidth, layout.columnWidth, viewport.width - layout.labelWidth),
    y: reveal(scroll.y, cell.row * layout.rowHeight, layout.rowHeight, viewport.height - layout.headerHeight),
  }
}

/** The cell that a key moves to; null for other keys. */
export function moveCell(from: CellPosition, key: string, pageRows: number, counts: CellCounts): CellPosition | null {
  const step = cellSteps[key]
  if (!step) return null
  const [rows, columns] = step(pageRows)
  return {
    row: clamp(from.row + rows, 0, counts.rows - 1),
    column: clamp(from.column + columns, 0, counts.columns - 1),
  }
}

const cellSteps: Record<string, (pageRows: number) => [rows: number, columns: number]> = {
  ArrowUp: () => [-1, 0],
  ArrowDown: () => [1, 0],
  ArrowLeft: () => [0, -1],
  ArrowRight: () => [0, 1],
  PageUp: (page) => [-page, 0],
  PageDown: (page) => [page, 0],
  Home: () => [0, -Infinity],
  End: () => [0, Infinity],
}

/** Shortens a label in the middle and keeps its end, where tests differ. */
export function cutMiddle(text: string, maxCharacters: number) {
  if (text.length <= maxCharacters) return text
  if (maxCharacters <= 1) return '…'
  const tail = Math.ceil((maxCharacters - 1) * 0.6)
  return `${text.slice(0, maxCharacters - 1 - tail)}…${text.slice(text.length - tail)}`
}

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value))
