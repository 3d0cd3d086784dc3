import { type AxisScale, niceScale } from '#src/charts/axis-scale.ts'
import { utc, type Zone } from './time-zones.ts'
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
  ...[1, 10, 100].flatMap((size) => [size, 2 * size, 5 * size]),
  ...[1, 5, 15, 30].map((amount) => amount * second),
  ...[1, 5, 15, 30].map((amount) => amount * minute),
  ...[1, 3, 6, 12].map((amount) => amount * hour),
  ...[1, 2, 7, 14, 28, 91, 182, 364].map((amount) => amount * day),
]

const written = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' })
const clock = written({ hour: '2-digit', minute: '2-digit' })
const exactClock = written({ hour: '2-digit', minute: '2-digit', second: '2-digit' })
const finestClock = written({ hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 })
const date = written({ day: 'numeric', month: 'short' })
const month = written({ month: 'short', year: 'numeric' })

/** Times with ticks where the clocks of the zone show round times; the ends are those of the data. */
export function timeAxis(values: readonly number[], { clockAt, instantsAt }: Zone = utc, count = 9): LabelledAxis {
  const [first, last] = extentOf(values)
  const [low, high] = first === last ? [first - minute, last + minute] : [first, last]
  const ticksOf = (step: number) => {
    // Clocks that were set back show times of the second hour before its end.
    const isSetBack = clockAt(high) - clockAt(low) < high - low
    const from = Math.min(clockAt(low), clockAt(high))
    const to = Math.max(clockAt(low), clockAt(high)) + (isSetBack ? hour : 0)
    const start = Math.ceil(from / step) * step
    const clocks = Array.from(
      { length: Math.max(0, Math.floor((to - start) / step) + 1) },
      (_, at) => start + at * step,
    )
    return clocks.flatMap(instantsAt).filter((at) => at >= low && at <= high)
  }
  const coarse = Math.ceil((high - low) / count / day) * day
  const fitting = steps.filter((size) => (high - low) / size <= count)
  const finer = steps.filter((size) => (high - low) / size > count).toReversed()
  // A step that meets no time in the data would leave the axis without labels.
  const step =
    [...(fitting.length > 0 ? fitting.slice(0, 1) : [coarse]), ...finer].find((size) => ticksOf(size).length > 1) ?? 1
  const ticks = [...new Set(ticksOf(step))].toSorted((a, b) => a - b)
  const names =
    step < second ? finestClock : step < minute ? exactClock : step < day ? clock : step < 60 * day ? date : month
  // The label at midnight shows the date.
  const format = (time: number) => {
    const shown = clockAt(time)
    return (step < day && shown % day === 0 ? date : names).format(shown)
  }
  return { domain: [low, high], ticks, format }
}

/** Categories with the same distance from each other. */
export const categoryAxis = (categories: readonly string[]): LabelledAxis => ({
  domain: [-0.5, categories.length - 0.5],
  ticks: [...categories.keys()],
  format: (place) => categories[place] ?? '',
})
