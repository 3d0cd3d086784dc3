import { getNiceTickValues } from 'recharts'

/** What the ticks of an axis are round in. */
export type TickUnit = 'number' | 'time'

export type Scale = 'linear' | 'log'

/** The domain of a number axis and its ticks, as props of Recharts. */
export type AxisScale = { domain: [number, number]; ticks: number[] }

const minute = 60
const hour = 3600
const count = 6

/** An axis from at most `low` to at least `high` whose ticks are round numbers, or round seconds, minutes or hours. */
export function niceScale(low: number, high: number, unit: TickUnit = 'number'): AxisScale {
  const size = unit === 'number' ? 1 : high >= 4 * hour ? hour : high >= 4 * minute ? minute : 1
  const [from, to] = [low / size, (high > low ? high : low + (Math.abs(low) || 1)) / size]
  // No round numbers are between the smallest doubles, and the range of the largest is infinite.
  if (!Number.isFinite(to - from) || to - from < smallestRange) return { domain: [low, high], ticks: [low, high] }
  const ticks = getNiceTickValues([from, to], count, true, 'snap125')
  const end = ticks.findIndex((tick) => tick >= to - (to - from) * 1e-9)
  const upTo = ticks.filter((_, place) => end < 0 || place <= end).map((tick) => withoutNoise(tick * size))
  // Of neighbors beyond 2^53, several have the same double.
  const kept = [...new Set(upTo)]
  return { domain: [kept[0] ?? low, kept.at(-1) ?? high], ticks: kept }
}

const smallestRange = 1e-300

/** Sums of steps such as 0.1 have digits that nobody means. */
const withoutNoise = (tick: number) => (Number.isInteger(tick) ? tick : Number(tick.toPrecision(15)))

const marks = [1, 2, 5]

/**
 * A logarithmic axis from at most `low` to at least `high`, both above zero, with ticks at powers of ten, and at 2 and 5
 * between few of them, or at the round values of the unit.
 */
export function logScale(low: number, high: number, unit: TickUnit = 'number'): AxisScale {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(Math.max(high, low * 1.01)))]
  const powers = Array.from({ length: last - first + 1 }, (_, place) => first + place)
  const steps = last - first > 3 ? [1] : marks
  const round =
    unit === 'time' ? roundTimes : powers.flatMap((power) => steps.map((step) => Number(`${step}e${power}`)))
  const from = round.findLast((mark) => mark <= low) ?? low
  const to = round.find((mark) => mark >= high && mark > from) ?? high
  return { domain: [from, to], ticks: round.filter((mark) => mark >= from && mark <= to) }
}

/** In seconds. */
const roundTimes = [0.001, 0.01, 0.1, 1, 10, 60, 600, hour, 10 * hour, 100 * hour, 1000 * hour]
