export type Axis = { low: number; high: number; ticks: number[] }

/** Creates the axis of a measure: `niceAxis`, or `niceTimeAxis` for seconds. */
export type AxisFrom = (low: number, high: number) => Axis

const minute = 60
const hour = 3600

/** Like `niceAxis`, with ticks at round seconds, minutes or hours. */
export function niceTimeAxis(low: number, high: number): Axis {
  const unit = high >= 4 * hour ? hour : high >= 4 * minute ? minute : 1
  const { ticks, ...ends } = niceAxis(low / unit, high / unit)
  return { low: ends.low * unit, high: ends.high * unit, ticks: ticks.map((tick) => tick * unit) }
}

export type Scale = 'linear' | 'log'

const factors = [1, 2, 5]

/**
 * An axis of decimal logarithms from at most `low` to at least `high`, both above zero. Its ticks are at powers of ten,
 * with 2 and 5 between few of them, or at the given round values.
 */
export function logAxis(low: number, high: number, round: readonly number[] = []): Axis {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(Math.max(high, low * 1.01)))]
  const powers = Array.from({ length: last - first + 1 }, (_, place) => first + place)
  const marks = last - first > 3 ? [1] : factors
  const candidates =
    round.length > 0 ? round : powers.flatMap((power) => marks.map((mark) => Number(`${mark}e${power}`)))
  const from = candidates.findLast((mark) => mark <= low) ?? low
  const to = candidates.find((mark) => mark >= high && mark > from) ?? high
  const ticks = candidates.filter((mark) => mark >= from && mark <= to).map((mark) => Math.log10(mark))
  return { low: Math.log10(from), high: Math.log10(to), ticks }
}

/** The value at a place of such an axis. Ten to the logarithm of 600 is a little less, which would read as 9 m 59 s. */
export const fromLog = (logarithm: number) => Number((10 ** logarithm).toPrecision(12))

/** An axis from at most `low` to at least `high` whose ticks are round numbers. */
export function niceAxis(low: number, high: number, count = 5): Axis {
  const span = high > low ? high - low : Math.abs(high) || 1
  const rough = span / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5].find((factor) => factor * power >= rough * 0.999) ?? 10) * power
  const first = Math.floor(low / step + 1e-9)
  const last = Math.max(first + 1, Math.ceil((low + span) / step - 1e-9))
  const ticks = Array.from({ length: last - first + 1 }, (_, place) => Number(((first + place) * step).toPrecision(15)))
  return { low: ticks[0] ?? low, high: ticks.at(-1) ?? high, ticks }
}
