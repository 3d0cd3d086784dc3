const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** A gap, where there is nothing to show: null is never zero. */
export const gap = '–'

export const count = (value: number | null) => (value === null ? gap : whole.format(value))

/** `1 run`, `2 runs`. */
export const counted = (value: number, noun: string, plural = `${noun}s`) =>
  `${whole.format(value)} ${value === 1 ? noun : plural}`

/** `950`, `12.4K`, `1.1M`. */
export const tokens = (value: number | null) => (value === null ? gap : compact.format(value))

/** A share from 0 to 1 as a whole percentage; only everything is `100%` and only nothing is `0%`. */
export function percent(share: number | null): string {
  if (share === null) return gap
  const rounded = Math.round(share * 100)
  if (rounded === 100 && share < 1) return '99%'
  if (rounded === 0 && share > 0) return '1%'
  return `${rounded}%`
}

const byteUnits = ['B', 'kB', 'MB', 'GB']

/** `640 B`, `1.2 MB`; characters count as bytes where only their number is known. */
export function bytes(value: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(1, value)) / 3), byteUnits.length - 1)
  const amount = value / 1000 ** power
  return `${power > 0 && amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${byteUnits[power]}`
}
