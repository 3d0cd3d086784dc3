import type { Presentation } from '#contract/insight-fields.ts'
import { numberAxis } from './axes.ts'
import type { Drawing, Hit } from './drawing.ts'
import { fiveNumbers } from './five-numbers.ts'
import { at, rowsFrame, rowsHeight, seriesClass } from './frame.ts'
import { type Markup, markup } from './markup.ts'
import { type Datum, readSeries, type Series } from './read-series.ts'
import { hiddenNote, missingNote, maxRows, tooManyNote } from './notes.ts'
import { shortFormat, type Table } from './values.ts'
import { valuesAndEnds, valueWithRange, whiskerNote, whiskers } from './whiskers.ts'

/** One horizontal bar per category and series, so that long names are readable. */
export function drawBars(table: Table, presentation: Presentation, width: number): Drawing {
  const read = readSeries(table, presentation, true)
  const { series, categories, missing } = read
  const names = categories.slice(0, maxRows)
  const data = series.map((one) => ({ ...one, data: one.data.filter(({ x }) => x < names.length) }))
  const x = numberAxis(
    data.flatMap((one) => valuesAndEnds(one.data)),
    true,
  )
  const inRows = seriesInRows(data)
  const most = Math.max(1, ...[...inRows.values()].map((places) => places.length))
  const thick = most > 1 ? Math.max(6, Math.min(14, 36 / most)) : 16
  const rowHeight = Math.max(26, thick * most + 10)
  const frame = rowsFrame({ width, rowHeight, names, x, title: titleOf(presentation) })
  const hits: Hit[] = []
  const middleOf = ({ x: row }: Datum, place: number) => {
    const places = inRows.get(row) ?? []
    return frame.toY(row) + (places.indexOf(place) - (places.length - 1) / 2) * thick
  }
  const bars: Markup[] = data.flatMap((one, place) => [
    ...one.data.map((datum) => {
      const [zero, end] = [frame.toX(Math.max(0, x.low)), frame.toX(datum.y)]
      const y = middleOf(datum, place)
      const size = { width: Math.max(1, Math.abs(end - zero)), height: thick - 2 }
      const words = [datum.category, ...(series.length > 1 ? [one.name] : []), valueWithRange(datum)].join(': ')
      hits.push({ x: (zero + end) / 2, y, ...size, words, row: datum.row })
      const corner = { x: at(Math.min(zero, end)), y: at(y - size.height / 2) }
      return markup('rect', {
        ...corner,
        width: at(size.width),
        height: at(size.height),
        rx: 1.5,
        className: seriesClass(place),
      })
    }),
    ...whiskers(one.data, false, { across: (datum) => middleOf(datum, place), along: frame.toX }),
  ])
  return {
    width,
    height: rowsHeight(names.length, rowHeight),
    marks: [...frame.marks, ...bars],
    hits,
    legend: series.length > 1 ? series.map(({ name }) => name) : [],
    notes: [
      ...whiskerNote(table, read),
      ...tooManyNote(categories.length, 'categories'),
      ...hiddenNote(data, 'bar'),
      ...missingNote(missing),
    ],
  }
}

/** The series that have a bar in each row, so that a row has no gaps for the others. */
function seriesInRows(series: readonly Series[]): Map<number, number[]> {
  const inRows = new Map<number, number[]>()
  for (const [place, { data }] of series.entries()) {
    for (const row of new Set(data.map(({ x }) => x))) inRows.set(row, [...(inRows.get(row) ?? []), place])
  }
  return inRows
}

/** The distribution of each category and series: box, median, whiskers at 1.5 × IQR, and outliers. */
export function drawBoxes(table: Table, presentation: Presentation, width: number): Drawing {
  const { series, categories, missing } = readSeries(table, presentation, true)
  const isNamed = presentation.x !== undefined
  const groups = categories.flatMap((category, place) =>
    series.flatMap(({ name, data }, color) => {
      const values = data.filter(({ x }) => x === place).map(({ y }) => y)
      const parts = [...(isNamed ? [category] : []), ...(series.length > 1 || !isNamed ? [name] : [])]
      return values.length > 0 ? [{ name: parts.join(' · '), values, color: series.length > 1 ? color : place }] : []
    }),
  )
  const shown = groups.slice(0, maxRows)
  const x = numberAxis(shown.flatMap(({ values }) => values))
  const format = shortFormat(shown.flatMap(({ values }) => quartilesOf(fiveNumbers(values))))
  const rowHeight = 34
  const frame = rowsFrame({ width, rowHeight, names: shown.map(({ name }) => name), x, title: titleOf(presentation) })
  const hits: Hit[] = []
  const boxes = shown.map(({ name, values, color }, place) => {
    const numbers = fiveNumbers(values)
    const { n, q1, median, q3, lowerWhisker, upperWhisker } = numbers
    const words = `${name}: median ${format(median)}, quartiles ${format(q1)} and ${format(q3)}, n = ${n}`
    const [low, high] = [frame.toX(lowerWhisker), frame.toX(upperWhisker)]
    hits.push({ x: (low + high) / 2, y: frame.toY(place), width: high - low, height: 18, words, row: null })
    return markup('g', { className: `rc-box ${seriesClass(color)}` }, ...boxMarks(numbers, frame.toX, frame.toY(place)))
  })
  return {
    width,
    height: rowsHeight(shown.length, rowHeight),
    marks: [...frame.marks, ...boxes],
    hits,
    legend: [],
    notes: [...tooManyNote(groups.length, 'groups'), ...missingNote(missing)],
  }
}

const quartilesOf = ({ q1, median, q3 }: ReturnType<typeof fiveNumbers>) => [q1, median, q3]

function boxMarks(numbers: ReturnType<typeof fiveNumbers>, toX: (value: number) => number, y: number): Markup[] {
  const [low, left, middle, right, high] = [
    numbers.lowerWhisker,
    numbers.q1,
    numbers.median,
    numbers.q3,
    numbers.upperWhisker,
  ].map((value) => at(toX(value)))
  const row = at(y)
  return [
    markup('path', { d: `M${low},${row}H${left}M${right},${row}H${high}M${low},${row - 4}v8M${high},${row - 4}v8` }),
    markup('rect', { x: left, y: row - 8, width: Math.max(1, (right ?? 0) - (left ?? 0)), height: 16, rx: 2 }),
    markup('path', { className: 'rc-median', d: `M${middle},${row - 8}v16` }),
    ...numbers.outliers.map((value) => markup('circle', { cx: at(toX(value)), cy: row, r: 2.5 })),
  ]
}

const titleOf = ({ y }: Presentation) => (y.length === 1 ? y[0] : undefined)
