/** Writes the ticks of an axis so that no two are alike, which rounding could make of close values. */
export function tickNames(ticks: readonly number[], format: (value: number) => string): (tick: number) => string {
  const names = ticks.map((tick) => format(tick))
  if (new Set(names).size === names.length) return (tick) => format(tick)
  const digits = Math.max(...ticks.map(significantDigits))
  const exact = new Intl.NumberFormat('en', { maximumSignificantDigits: Math.max(1, digits) })
  return (tick) => exact.format(tick)
}

/** How many digits a tick has, without those that only come from adding steps. */
export function significantDigits(value: number) {
  const text = Number.isInteger(value) ? String(Math.abs(value)) : Math.abs(value).toPrecision(15)
  return text.replace(/e.*$/, '').replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length
}
