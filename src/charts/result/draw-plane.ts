import type { Presentation } from '#contract/insight-fields.ts'
import { placeLabels } from '#src/charts/place-labels.ts'
import { splitAtGaps } from '#src/charts/split-at-gaps.ts'
import { type LabelledAxis, numberAxis, timeAxis } from './axes.ts'
import { type Drawing, point } from './drawing.ts'
import { at, type Frame, label, letterWidth, planeFrame, seriesClass } from './frame.ts'
import { type Markup, markup } from './markup.ts'
import { missingNote } from './notes.ts'
import { type Datum, readSeries, type Series, type SeriesOf } from './read-series.ts'
import { showValue, type Table } from './values.ts'
import { valuesAndEnds, valueWithRange, whiskerNote, whiskers } from './whiskers.ts'

const height = 360
/** Above this number, dots on a line add nothing, and only values without neighbors have one. */
const maxDots = 60

/** One line per series, in the order of the X axis. Only a missing value breaks the line. */
export function drawLines(table: Table, presentation: Presentation, width: number): Drawing {
  const read = readSeries(table, presentation, false)
  const series = read.series.map((one) => ({ ...one, data: one.data.toSorted((a, b) => a.x - b.x) }))
  const isDirect = series.length > 1 && series.length <= 8 && width >= 480
  const longest = Math.max(...series.map(({ name }) => name.length), 0) * letterWidth
  const right = isDirect ? Math.min(longest + 20, width * 0.25) : 16
  const frame = frameOf(read, presentation, { width, right })
  const lines = series.map(({ data, gaps }, place) => {
    const pieces = piecesOf(data, gaps)
    const isSparse = data.length <= maxDots
    return markup(
      'g',
      { className: `rc-line ${seriesClass(place)}` },
      ...pieces.filter((piece) => piece.length > 1).map((piece) => linePath(piece, frame)),
      ...(isSparse ? whiskersOf(data, frame) : []),
      ...dotsOf(isSparse ? data : pieces.filter((piece) => piece.length === 1).flat(), frame),
    )
  })
  return {
    width,
    height,
    marks: [...frame.marks, ...lines, ...(isDirect ? endLabels(series, frame, width) : [])],
    hits: hitsOf(series, frame, read),
    legend: series.length > 1 && !isDirect ? series.map(({ name }) => name) : [],
    notes: [...whiskerNote(table, read), ...missingNote(read.missing)],
  }
}

const whiskersOf = (data: readonly Datum[], { toX, toY }: Frame) =>
  whiskers(data, true, { across: ({ x }) => toX(x), along: toY })

/** A row with a value fills the gap of another row at the same place. */
function piecesOf(data: readonly Datum[], gaps: readonly number[]): Datum[][] {
  const filled = new Set(data.map(({ x }) => x))
  const all = [
    ...data.map((datum) => ({ x: datum.x, datum })),
    ...gaps.filter((x) => !filled.has(x)).map((x) => ({ x, datum: null })),
  ]
  return splitAtGaps(all.toSorted((a, b) => a.x - b.x).map(({ datum }) => datum))
}

const linePath = (piece: readonly Datum[], { toX, toY }: Frame) =>
  markup('path', { d: `M${piece.map(({ x, y }) => `${at(toX(x))},${at(toY(y))}`).join('L')}` })

const dotsOf = (data: readonly Datum[], { toX, toY }: Frame): Markup[] =>
  data.length > 0 ? [markup('path', { className: 'rc-dots', d: dots(data, toX, toY, 2.5) })] : []

/** The label at the end of the line, in the line's color. */
function endLabels(series: readonly Series[], { toX, toY }: Frame, width: number): Markup[] {
  const ends = series.map(({ name, data }) => {
    const last = data.at(-1)
    return { x: last ? toX(last.x) : 0, y: last ? toY(last.y) : 0, text: name }
  })
  return placeLabels(ends, { left: 0, right: width }).flatMap((placed) =>
    placed ? [label(placed.x, placed.y, placed.text, `rc-name ${placed.anchor === 'end' ? 'rc-end' : ''}`)] : [],
  )
}

/** One dot per row; one path per series, since ten thousand elements would be slow. */
export function drawScatter(table: Table, presentation: Presentation, width: number): Drawing {
  const read = readSeries(table, presentation, false)
  const frame = frameOf(read, presentation, { width, right: 16 })
  const isCrowded = read.series.some(({ data }) => data.length > 300)
  const look = isCrowded ? 'rc-points rc-crowded' : 'rc-points'
  const points = read.series.flatMap(({ data }, place) => [
    ...(isCrowded ? [] : [markup('g', { className: seriesClass(place) }, ...whiskersOf(data, frame))]),
    markup('path', {
      className: `${look} ${seriesClass(place)}`,
      d: dots(data, frame.toX, frame.toY, isCrowded ? 2 : 4),
    }),
  ])
  return {
    width,
    height,
    marks: [...frame.marks, ...points],
    hits: hitsOf(read.series, frame, read),
    legend: read.series.length > 1 ? read.series.map(({ name }) => name) : [],
    notes: [...(isCrowded ? [] : whiskerNote(table, read)), ...missingNote(read.missing)],
  }
}

function dots(data: readonly Datum[], toX: Frame['toX'], toY: Frame['toY'], radius: number) {
  const arc = `a${radius},${radius} 0 1 0 ${2 * radius},0a${radius},${radius} 0 1 0 ${-2 * radius},0`
  return data.map(({ x, y }) => `M${at(toX(x) - radius)},${at(toY(y))}${arc}`).join('')
}

function frameOf(
  { series, xKind, categories }: SeriesOf,
  presentation: Presentation,
  size: { width: number; right: number },
) {
  const all = series.flatMap(({ data }) => data)
  const across = all.map(({ x }) => x)
  const x =
    xKind === 'text'
      ? categoryAxis(categories)
      : xKind === 'time'
        ? timeAxis(across, Math.max(2, Math.floor(size.width / 110)))
        : numberAxis(across)
  const y = numberAxis(valuesAndEnds(all))
  const titles = { x: presentation.x, y: presentation.y.length === 1 ? presentation.y[0] : undefined }
  return planeFrame({ ...size, height, x, y, titles })
}

const categoryAxis = (categories: readonly string[]): LabelledAxis => ({
  low: -0.5,
  high: categories.length - 0.5,
  ticks: [...categories.keys()],
  format: (place) => categories[place] ?? '',
})

function hitsOf(series: readonly Series[], { toX, toY }: Frame, { xKind }: SeriesOf) {
  return series.flatMap(({ name, data }) =>
    data.map((datum) => {
      const { x, y, category, row } = datum
      const across = xKind === 'number' ? showValue(x) : category
      return point(
        toX(x),
        toY(y),
        [...(series.length > 1 ? [name] : []), across, valueWithRange(datum)].join(': '),
        row,
      )
    }),
  )
}
