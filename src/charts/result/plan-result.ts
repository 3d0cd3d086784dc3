import type { Presentation } from '#contract/insight-fields.ts'
import type { BoxGroup } from '#src/charts/box/box-group.ts'
import { seriesOf } from '#src/charts/series.ts'
import { counted } from '#src/format/numbers.ts'
import { categoryAxis, type LabelledAxis, numberAxis, timeAxis } from './axes.ts'
import { planBars, type PlannedBar } from './plan-bars.ts'
import { planBoxes } from './plan-boxes.ts'
import { type HeatmapPlan, planHeatmap } from './plan-heatmap.ts'
import { findIntervals, rangeIn, whiskerNote } from './intervals.ts'
import { missingNote } from './notes.ts'
import { presentationKinds } from './presentation-kinds.ts'
import { whyNotDrawn } from './presentation.ts'
import { type Datum, readSeries, type Series, type SeriesOf, valuesAndEnds, valueWithRange } from './read-series.ts'
import { utc, type Zone } from './time-zones.ts'
import { kindOf, numberOf, showValue, type Table } from './values.ts'

/** One value on the plane, and what it reads; `row` is its row in the result. */
export type PlannedPoint = Datum & { words: string; isAlone: boolean }

/** `points` are in the order of the X axis for a line; a point with null has no value and breaks the line. */
type PlannedSeries = { name: string; color: number; points: (PlannedPoint | { x: number; y: null })[] }

export type Plan = { name: string; notes: string[] } & (
  | { kind: 'number'; value: string; words: string }
  | { kind: 'line' | 'scatter'; series: PlannedSeries[]; x: LabelledAxis; y: LabelledAxis; titles: Titles }
  | { kind: 'bar'; bars: PlannedBar[]; legend: { name: string; series: number }[]; x: LabelledAxis; title: string }
  | { kind: 'box'; groups: BoxGroup[]; outliers: { group: string; value: number }[]; title: string }
  | ({ kind: 'heatmap' } & HeatmapPlan)
)

type Titles = { x: string; y: string }

/** What the chart of a result shows, or the reason there is none. The same in the app and on a public page. */
export function planResult(table: Table, presentation: Presentation): Plan | { reason: string } {
  const { kind } = presentation
  if (kind === 'table') return { reason: 'This result is shown as a table.' }
  if (table.rows.length === 0) return { reason: 'The result has no rows.' }
  const reason = whyNotDrawn(presentation, table.columns)
  if (reason) return { reason }
  if (kind === 'number') return planNumber(table, presentation)
  const { marks, ...plan } = planOf[kind](table, presentation)
  if (marks === 0) return { reason: 'All values are missing.' }
  const { x, y } = presentation
  const what = `${presentationKinds[kind].label} chart of ${y.join(', ')}${x ? ` by ${x}` : ''}`
  return { ...plan, name: `${what}, ${counted(marks, 'mark')}; see the table for every value` }
}

type Unnamed<Each> = Each extends Plan ? Omit<Each, 'name'> & { marks: number } : never
type Planner = (table: Table, presentation: Presentation) => Unnamed<Plan>

const planOf: Record<Exclude<Plan['kind'], 'number'>, Planner> = {
  line: (table, presentation) => planPlane('line', table, presentation),
  scatter: (table, presentation) => planPlane('scatter', table, presentation),
  bar: planBars,
  box: planBoxes,
  heatmap: planHeatmap,
}

function planPlane(kind: 'line' | 'scatter', table: Table, presentation: Presentation): Unnamed<Plan> {
  const read = readSeries(table, presentation, false)
  const colors = seriesOf(read.series.map(({ name }) => name))
  const all = read.series.flatMap(({ data }) => data)
  const across = all.map(({ x }) => x)
  const x =
    read.xKind === 'text'
      ? categoryAxis(read.categories)
      : read.xKind === 'time'
        ? timeAxis(across, read.zone ?? utc)
        : numberAxis(across)
  return {
    kind,
    series: read.series.map((one) => ({
      name: one.name,
      color: colors.get(one.name) ?? 0,
      points: kind === 'line' ? toLine(one, read) : one.data.map((datum) => toPoint(datum, one.name, read)),
    })),
    x,
    y: numberAxis(valuesAndEnds(all)),
    titles: {
      x: inZone(presentation.x ?? '', read.zone),
      y: presentation.y.length === 1 ? (presentation.y[0] ?? '') : '',
    },
    notes: [...whiskerNote(table, read), ...missingNote(read.missing)],
    marks: all.length,
  }
}

const inZone = (title: string, zone: Zone | null) => (zone?.name ? `${title} (${zone.name})` : title)

function toPoint(datum: Datum, name: string, { series }: SeriesOf): PlannedPoint {
  const words = [...(series.length > 1 ? [name] : []), datum.category, valueWithRange(datum)].join(': ')
  return { ...datum, words, isAlone: false }
}

/** A row with a value fills the gap of another row at the same place. A value between two gaps stands alone. */
function toLine({ name, data, gaps }: Series, read: SeriesOf): PlannedSeries['points'] {
  const filled = new Set(data.map(({ x }) => x))
  const holes = gaps.filter((x) => !filled.has(x)).map((x) => ({ x, y: null }))
  const points = [...data.map((datum) => toPoint(datum, name, read)), ...holes].toSorted((a, b) => a.x - b.x)
  const isGap = (place: number) => (points[place]?.y ?? null) === null
  return points.map((point, place) =>
    point.y === null ? point : { ...point, isAlone: isGap(place - 1) && isGap(place + 1) },
  )
}

function planNumber(table: Table, presentation: Presentation): Plan {
  const { columns, rows } = table
  const [name = ''] = presentation.y
  const place = columns.findIndex((column) => column.name === name)
  const column = columns[place]
  const [row = []] = rows
  const interval = findIntervals(table).of.get(place)
  const number = numberOf(row[place])
  const range = interval && number !== null ? rangeIn(row, number, interval) : null
  const words = range ? `${name}, ${showValue(range.low)} to ${showValue(range.high)}` : name
  return { kind: 'number', name, value: showValue(row[place], column && kindOf(column)), words, notes: [] }
}
