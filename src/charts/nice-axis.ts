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

/** An axis from at most `low` to at least `high` whose ticks are round numbers. */
export function niceAxis(low: number, high: number, count = 5): Axis {
  const span = high > low ? high - low : Math.abs(high) || 1
  const rough = span / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5].find((factor) => factor * power >= rough * 0.999) ?? 10) * power
  const first = Math.floor(low / step + 1e-9)
  const last = Math.max(first + 1, Math.ceil((low + span) / step - 1e-9))
  const ticks = Array.from({ length: last - first + 1 }, (_, place) => Number(((first + place) * step).toPrecision(12)))
  return { low: ticks[0] ?? low, high: ticks.at(-1) ?? high, ticks }
}
