import type { LabelledAxis } from './axes.ts'
import { type Markup, markup } from './markup.ts'

/** Of wide names such as `swe-agent-mini`. Most need less. */
export const letterWidth = 7.2
const rowLabelShare = 0.35

export type Frame = {
  left: number
  top: number
  width: number
  height: number
  toX: (value: number) => number
  toY: (value: number) => number
  marks: Markup[]
}

const scale = (axis: LabelledAxis, from: number, length: number) => (value: number) =>
  from + ((value - axis.low) / (axis.high - axis.low || 1)) * length

type Titles = { x?: string | undefined; y?: string | undefined }

type Plane = { width: number; height: number; x: LabelledAxis; y: LabelledAxis; titles: Titles; right?: number }

/** Two scales with hairlines at their ticks. */
export function planeFrame({ width, height, x, y, titles, right = 12 }: Plane): Frame {
  const names = y.ticks.map(y.format)
  const left = Math.max(24, ...names.map((name) => name.length * letterWidth + 12))
  const top = titles.y ? 24 : 8
  const bottom = titles.x ? 40 : 24
  const inner = { width: Math.max(40, width - left - right), height: height - top - bottom }
  const toX = scale(x, left, inner.width)
  const up = scale(y, 0, inner.height)
  const toY = (value: number) => top + inner.height - up(value)
  const marks = [
    ...y.ticks.map((tick) => line(left, toY(tick), left + inner.width, toY(tick))),
    ...y.ticks.map((tick, place) => label(left - 8, toY(tick), names[place] ?? '', 'rc-end')),
    ...spread(x.ticks, x, toX).map((tick) => label(toX(tick), top + inner.height + 14, x.format(tick), 'rc-middle')),
    ...(titles.y ? [label(0, 8, titles.y, 'rc-title')] : []),
    ...(titles.x ? [label(left + inner.width, height - 8, titles.x, 'rc-title rc-end')] : []),
  ]
  return { left, top, ...inner, toX, toY, marks }
}

/** Shows only every nth label if neighbors would touch. */
function spread(ticks: readonly number[], axis: LabelledAxis, toX: (value: number) => number) {
  const longest = Math.max(0, ...ticks.map((tick) => axis.format(tick).length)) * letterWidth + 12
  const apart = Math.abs(toX(ticks[1] ?? 0) - toX(ticks[0] ?? 0)) || Infinity
  const every = Math.max(1, Math.ceil(longest / apart))
  return ticks.filter((_, place) => place % every === 0)
}

type Rows = { width: number; rowHeight: number; names: readonly string[]; x: LabelledAxis; title: string | undefined }

/** One row per category with its name on the left and one horizontal scale; `toY` returns the middle of a row. */
export function rowsFrame({ width, rowHeight, names, x, title }: Rows): Frame {
  const longest = Math.max(...names.map((name) => name.length), 1) * letterWidth + 12
  const left = Math.min(longest, width * rowLabelShare)
  const letters = Math.floor((left - 12) / letterWidth)
  const top = 8
  const inner = { width: Math.max(40, width - left - 16), height: names.length * rowHeight }
  const toX = scale(x, left, inner.width)
  const toY = (place: number) => top + (place + 0.5) * rowHeight
  const foot = top + inner.height
  const marks = [
    ...x.ticks.map((tick) => line(toX(tick), top, toX(tick), foot)),
    ...spread(x.ticks, x, toX).map((tick) => label(toX(tick), foot + 14, x.format(tick), 'rc-middle')),
    ...names.map((name, place) => cutLabel({ x: left - 8, y: toY(place), name, letters, place: 'rc-end' })),
    ...(title ? [label(left + inner.width, foot + 32, title, 'rc-title rc-end')] : []),
  ]
  return { left, top, ...inner, toX, toY, marks }
}

export const rowsHeight = (names: number, rowHeight: number) => 8 + names * rowHeight + 40

const line = (x1: number, y1: number, x2: number, y2: number) =>
  markup('path', { className: 'rc-grid', d: `M${at(x1)},${at(y1)}L${at(x2)},${at(y2)}` })

export const label = (x: number, y: number, text: string, className = '') =>
  markup('text', { x: at(x), y: at(y), className: `rc-label ${className}`.trim() }, text)

/** A name that may be too long; the full name is in the tooltip. */
export const cutLabel = ({
  x,
  y,
  name,
  letters,
  place,
}: {
  x: number
  y: number
  name: string
  letters: number
  place: string
}) =>
  markup(
    'text',
    { x: at(x), y: at(y), className: `rc-label rc-name ${place}` },
    ...(name.length > letters ? [markup('title', {}, name)] : []),
    shorten(name, letters),
  )

/** Shortens names in the middle, because they often differ at both ends. */
const shorten = (text: string, most: number) =>
  text.length <= most
    ? text
    : `${text.slice(0, Math.max(1, Math.ceil(most / 2) - 1))}…${text.slice(1 - Math.floor(most / 2) || text.length)}`

/** Rounds pixels to one decimal. */
export const at = (value: number) => Math.round(value * 10) / 10

export const seriesClass = (place: number) => `rc-series-${(place % 8) + 1}`
