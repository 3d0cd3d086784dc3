import type { Presentation } from '#contract/insight-fields.ts'
import { counted } from '#src/format/numbers.ts'
import { type PresentationKind, presentationKinds } from './presentation-kinds.ts'
import { drawHeatmap } from './draw-query-heatmap.ts'
import { drawLines, drawScatter } from './draw-plane.ts'
import { drawBars, drawBoxes } from './draw-rows.ts'
import type { Drawing } from './drawing.ts'
import { seriesClass } from './frame.ts'
import { findIntervals, rangeIn } from './intervals.ts'
import { type Markup, markup } from './markup.ts'
import { whyNotDrawn } from './presentation.ts'
import { kindOf, numberOf, showValue, type Table } from './values.ts'

const draw: Record<Exclude<PresentationKind, 'number'>, (table: Table, how: Presentation, width: number) => Drawing> = {
  line: drawLines,
  bar: drawBars,
  scatter: drawScatter,
  box: drawBoxes,
  heatmap: drawHeatmap,
}

/** A drawn chart in parts, from the top; `hits` are in the drawing's pixels. */
export type DrawnResult = { legend: Markup[]; picture: Markup; notes: Markup[]; hits: Drawing['hits'] }

/** The chart of a result for a width in pixels, or the reason there is none. Pure, so it looks the same everywhere. */
export function drawResult(table: Table, presentation: Presentation, width: number): DrawnResult | { reason: string } {
  const { kind } = presentation
  if (kind === 'table') return { reason: 'This result is shown as a table.' }
  if (table.rows.length === 0) return { reason: 'The result has no rows.' }
  const reason = whyNotDrawn(presentation, table.columns)
  if (reason) return { reason }
  if (kind === 'number') return drawNumber(table, presentation)
  const drawing = draw[kind](table, presentation, width)
  if (drawing.hits.length === 0) return { reason: 'All values are missing.' }
  return toParts(drawing, nameOf(presentation, presentationKinds[kind].label, drawing))
}

function toParts({ width, height, marks, legend, notes, hits }: Drawing, name: string): DrawnResult {
  const size = { width: Math.round(width), height: Math.round(height) }
  const frame = { ...size, viewBox: `0 0 ${size.width} ${size.height}`, role: 'img', 'aria-label': name }
  const entries = legend.map((entry, place) => markup('li', {}, swatch(place), entry))
  return {
    legend: legend.length > 0 ? [markup('ul', { className: 'rc-legend' }, ...entries)] : [],
    picture: markup('span', { className: 'rc-scroll' }, markup('svg', frame, ...marks)),
    notes: notes.map((note) => markup('p', { className: 'rc-note' }, note)),
    hits,
  }
}

const swatch = (place: number) =>
  markup(
    'svg',
    { width: 10, height: 10, 'aria-hidden': 'true' },
    markup('rect', { width: 10, height: 10, rx: 2, className: seriesClass(place) }),
  )

function nameOf({ x, y }: Presentation, label: string, { hits }: Drawing) {
  return `${label} chart of ${y.join(', ')}${x ? ` by ${x}` : ''}, ${counted(hits.length, 'mark')}; see the table for every value`
}

function drawNumber(table: Table, presentation: Presentation): DrawnResult {
  const { columns, rows } = table
  const { y } = presentation
  const place = columns.findIndex(({ name }) => name === y[0])
  const column = columns[place]
  const value = showValue(rows[0]?.[place], column && kindOf(column))
  const picture = markup('p', { className: 'rc-number' }, value)
  const interval = findIntervals(table).of.get(place)
  const [row = []] = rows
  const number = numberOf(row[place])
  const range = interval && number !== null ? rangeIn(row, number, interval) : null
  const words = range ? `${y[0] ?? ''}, ${showValue(range.low)} to ${showValue(range.high)}` : (y[0] ?? '')
  return { legend: [], picture, notes: [markup('p', { className: 'rc-note' }, words)], hits: [] }
}
