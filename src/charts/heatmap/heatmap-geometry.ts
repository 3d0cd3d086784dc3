/** The layout in CSS pixels. Labels are drawn over the scrolled cells, so they are always visible. */
export type HeatmapLayout = {
  labelWidth: number
  headerHeight: number
  columnWidth: number
  rowHeight: number
  width: number
  height: number
  /** The room for the pass rate of a whole row, behind its name; none on a phone where names need it. */
  totalWidth: number
  /** Header labels are horizontal lines if a column is wide enough, and rise to the right otherwise. */
  headerIsFlat: boolean
}

/** Column -1 is the name of the row. */
export type CellPosition = { row: number; column: number }
export type Size = { width: number; height: number }
export type Offset = { x: number; y: number }

const rowHeight = 24
const minColumnWidth = 30
const maxColumnWidth = 150
/** With columns this wide, the rest of the width goes to the names of the rows: as wide as short names of columns need. */
const comfortableColumn = { short: 72, long: 112 }
const flatHeaderFrom = 64
export const characterWidth = 7.25
export const headerLine = 15
/** Names of groups are smaller than those of tests, so that most fit their column. */
export const headerCharacter = 6.65
export const headerPadding = 8
/** How steep the names of narrow columns rise. */
export const headerAngle = Math.PI / 4
/** However long the names are, the first row of cells has to be on the first screen. */
const maxHeader = 112
const widestTotal = 44
const phoneWidth = 480
/** The room for the arrow of a folder, and how far each level is moved to the right. */
export const indent = 14

/** The name of a row: its text, the rest of its path if there is room, and how far it is moved to the right. */
export type RowLabel = { text: string; detail?: string; level?: number }

/** The drawn labels: one per row and one per column. */
export type HeatmapLabels = { tests: readonly RowLabel[]; groups: readonly string[] }

/** The values of a group, which `groupLabel` joins, are stacked. */
export const headerParts = (label: string) => label.split(/~| · /)

export function layoutHeatmap({ tests, groups }: HeatmapLabels, viewport: Size): HeatmapLayout {
  const columns = groups.length
  const whole = labelWidthOf(tests, groups, viewport, widestTotal)
  const isCut = viewport.width < phoneWidth && whole < Math.floor(namesWidth(tests) + widestTotal)
  const totalWidth = isCut ? 0 : widestTotal
  const labelWidth = isCut ? labelWidthOf(tests, groups, viewport, 0) : whole
  const free = Math.max(0, viewport.width - labelWidth)
  const widthIn = (room: number) => clamp(Math.floor(room / Math.max(1, columns)), minColumnWidth, maxColumnWidth)
  const stacked = groups.map((label) => headerLines(label, widthIn(free)))
  const headerIsFlat = widthIn(free) >= flatHeaderFrom && stacked.every((lines) => lines !== null)
  // The last name rises past its column.
  const overhang = headerIsFlat ? 0 : Math.round(Math.min(maxHeader, risingHeight(groups)) - headerLine)
  const columnWidth = widthIn(free - overhang)
  const lineCount = Math.max(1, ...stacked.map((lines) => lines?.length ?? 0))
  // Rounded up, or the longest name would lack the room for its last letter.
  const headerHeight = headerIsFlat
    ? (lineCount + 1) * headerLine + 14
    : Math.ceil(Math.min(maxHeader, risingHeight(groups)))
  return {
    labelWidth,
    totalWidth,
    headerHeight,
    columnWidth,
    rowHeight,
    headerIsFlat,
    width: labelWidth + columns * columnWidth + overhang,
    height: headerHeight + tests.length * rowHeight,
  }
}

const widest = (tests: readonly RowLabel[], lengthOf: (label: RowLabel) => number) =>
  tests.reduce((most, label) => Math.max(most, lengthOf(label) * characterWidth + rowIndent(label)), 0) + 20

const namesWidth = (tests: readonly RowLabel[]) => widest(tests, ({ text }) => text.length)

/** Names are drawn whole where columns leave the room, and cut where they would take a third of the width. */
function labelWidthOf(tests: readonly RowLabel[], groups: readonly string[], viewport: Size, totalWidth: number) {
  const whole = totalWidth + widest(tests, ({ text, detail }) => text.length + (detail ? detail.length + 1 : 0))
  const names = totalWidth + namesWidth(tests)
  const { short, long } = comfortableColumn
  const areShort = groups.every((label) => headerLines(label, short) !== null)
  const spare = viewport.width - groups.length * (areShort ? short : long)
  const most = Math.max(Math.min(360, Math.max(150, viewport.width * 0.34)), Math.min(spare, 720))
  return Math.round(Math.min(most, Math.max(names, Math.min(whole, spare))))
}

export const rowIndent = ({ level }: RowLabel) => (level === undefined ? 0 : (level + 1) * indent)

const maxHeaderLines = 4

/** A column's name in lines that fit its width; null if a word is too long or there are too many lines. */
export function headerLines(label: string, columnWidth: number): string[] | null {
  const room = Math.floor((columnWidth - headerPadding) / headerCharacter)
  const lines = headerParts(label).flatMap((part) => wrap(part, room))
  return lines.length <= maxHeaderLines && lines.every((line) => line.length <= room) ? lines : null
}

/** Breaks a name behind hyphens, dots and spaces. */
function wrap(name: string, room: number): string[] {
  const lines = ['']
  for (const word of name.split(/(?<=[-_./: ])/)) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + word.trimEnd().length > room) lines.push(word)
    else lines[lines.length - 1] = line + word
  }
  return lines.map((line) => line.trimEnd())
}

/** The lines of a rising name: the last of its parts below the others. */
export function risingLines(label: string): string[] {
  const parts = headerParts(label)
  return parts.length < 2 ? parts : [parts.slice(0, -1).join(' · '), parts.at(-1) ?? '']
}

/** How high rising names are, with the line of rates below them. */
function risingHeight(groups: readonly string[]) {
  const longest = Math.max(0, ...groups.flatMap((label) => risingLines(label).map(({ length }) => length)))
  return Math.sin(headerAngle) * (longest * headerCharacter + headerLine) + headerLine + 12
}

/** How many characters of a rising name its header has room for. */
export const risingRoom = (headerHeight: number) =>
  Math.floor(((headerHeight - headerLine - 12) / Math.sin(headerAngle) - headerLine) / headerCharacter)

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

/** The smallest scroll that makes a cell fully visible beside the labels. The name of a row always is. */
export function scrollToCell(layout: HeatmapLayout, scroll: Offset, viewport: Size, cell: CellPosition): Offset {
  const reveal = (offset: number, start: number, size: number, room: number) =>
    clamp(offset, start + size - Math.max(size, room), start)
  return {
    x:
      cell.column < 0
        ? scroll.x
        : reveal(scroll.x, cell.column * layout.columnWidth, layout.columnWidth, viewport.width - layout.labelWidth),
    y: reveal(scroll.y, cell.row * layout.rowHeight, layout.rowHeight, viewport.height - layout.headerHeight),
  }
}

/** The cell that a key moves to; null for other keys. With `hasNames`, the left arrow reaches the name of the row. */
export function moveCell(
  from: CellPosition,
  key: string,
  pageRows: number,
  counts: CellCounts & { hasNames?: boolean },
): CellPosition | null {
  const step = cellSteps[key]
  if (!step) return null
  const [rows, columns] = step(pageRows)
  const first = counts.hasNames && key === 'ArrowLeft' ? -1 : Math.min(0, from.column)
  return {
    row: clamp(from.row + rows, 0, counts.rows - 1),
    column: clamp(from.column + columns, first, counts.columns - 1),
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

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value))
