import { type AxisScale, niceScale } from '#src/charts/axis-scale.ts'
import { tickFormat } from './values.ts'

export type LabelledAxis = AxisScale & { format: (value: number) => string }

/** Starts at zero if zero is near or if bars need it. */
export function numberAxis(values: readonly number[], fromZero = false): LabelledAxis {
  const [low, high] = extentOf(values)
  const startsAtZero = fromZero || (low > 0 && low < high * 0.6)
  const start = startsAtZero ? Math.min(0, low) : low
  const end = fromZero ? Math.max(0, high) : high
  const axis = niceScale(start, end)
  return { ...axis, format: tickFormat(axis.ticks) }
}

const extentOf = (values: readonly number[]) =>
  values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)] as [number, number], [
    Infinity,
    -Infinity,
  ] as [number, number])

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const steps = [
  ...[1, 5, 15, 30].map((amount) => amount * second),
  ...[1, 5, 15, 30].map((amount) => amount * minute),
  ...[1, 3, 6, 12].map((amount) => amount * hour),
  ...[1, 2, 7, 14, 28, 91, 182, 364].map((amount) => amount * day),
]

const utc = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' })
const clock = utc({ hour: '2-digit', minute: '2-digit' })
const exactClock = utc({ hour: '2-digit', minute: '2-digit', second: '2-digit' })
const date = utc({ day: 'numeric', month: 'short' })
const month = utc({ month: 'short', year: 'numeric' })

/** Times in UTC with ticks at round times; the ends are those of the data. */
export function timeAxis(values: readonly number[], count = 9): LabelledAxis {
  const [first, last] = extentOf(values)
  const [low, high] = first === last ? [first - minute, last + minute] : [first, last]
  const ticksOf = (step: number) => {
    const start = Math.ceil(low / step) * step
    return Array.from(
      { length: Math.max(0, Math.floor((high - start) / step) + 1) },
      (_, place) => start + place * step,
    )
  }
  const coarse = Math.ceil((high - low) / count / day) * day
  const fitting = steps.filter((size) => (high - low) / size <= count)
  const finer = steps.filter((size) => (high - low) / size > count).toReversed()
  // A step that meets no time in the data would leave the axis without labels.
  const step =
    [...(fitting.length > 0 ? fitting.slice(0, 1) : [coarse]), ...finer].find((size) => ticksOf(size).length > 1) ??
    second
  const ticks = ticksOf(step)
  const names = step < minute ? exactClock : step < day ? clock : step < 60 * day ? date : month
  // The label at midnight shows the date.
  const format = (time: number) => (step < day && time % day === 0 ? date : names).format(time)
  return { domain: [low, high], ticks, format }
}

/** Categories with the same distance from each other. */
export const categoryAxis = (categories: readonly string[]): LabelledAxis => ({
  domain: [-0.5, categories.length - 0.5],
  ticks: [...categories.keys()],
  format: (place) => categories[place] ?? '',
})
