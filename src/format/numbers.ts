const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const oneDecimal = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** Shown for a missing value. Null is never shown as zero. */
export const emptyValue = '–'

/** `≥ 15 min`, where only a lower bound is known. */
export const atLeastText = (isAtLeast: boolean, text: string) => (isAtLeast && text !== emptyValue ? `≥ ${text}` : text)

export const count = (value: number | null) => (value === null ? emptyValue : whole.format(value))

export { counted } from '#contract/wire/counted.ts'

/** `950`, `12.4K`, `1.1M`. */
export const tokens = (value: number | null) => (value === null ? emptyValue : compact.format(value))

/** A share this close to 0 or 1 is exactly that, apart from rounding errors. */
const rounding = 1e-9

/** `<1 %` or `>99 %` for a share that would round to 0 or 1 and is neither. */
function nearEnd(share: number, decimals: 0 | 1): string | null {
  const least = 10 ** -(decimals + 2)
  const write = (end: number) => `${(end * 100).toFixed(decimals)} %`
  if (share > rounding && share < least) return `<${write(least)}`
  return share > 1 - least && share < 1 - rounding ? `>${write(1 - least)}` : null
}

/**
 * A share from 0 to 1: `58 %`, or `58.8 %` with a decimal. Only exactly 0 is `0 %` and only exactly 1 is `100 %`;
 * values that would round to them are `<1 %` or `>99 %`.
 */
export function percent(share: number | null, decimals: 0 | 1 = 0): string {
  if (share === null) return emptyValue
  const end = nearEnd(share, decimals)
  if (end !== null) return end
  // A mean of 0.5875 may be stored as 0.58749…; twelve digits are the same however it was summed.
  return `${(decimals === 0 ? whole : oneDecimal).format(Number((share * 100).toPrecision(12)))} %`
}

/** Keeps a number and its percent sign on one line. */
export const withUnbrokenPercents = (text: string) => text.replaceAll(/(?<=\d) %/g, '\u00a0%')

/** Like `percent`, always with its decimal, as in a column of numbers. */
export const fixedPercent = (share: number | null) =>
  share === null ? emptyValue : (nearEnd(share, 1) ?? `${Number((share * 100).toPrecision(12)).toFixed(1)} %`)

/** A change of a share in points, with its sign. */
export function pointsText(share: number | null) {
  if (share === null) return emptyValue
  const points = Number((Math.abs(share) * 100).toPrecision(12)).toFixed(1)
  return Number(points) === 0 ? points : `${share < 0 ? '−' : '+'}${points}`
}

const byteUnits = ['B', 'kB', 'MB', 'GB']

/** `640 B`, `1.2 MB`. A number of characters counts as bytes if the bytes are unknown. */
export function bytes(value: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(1, value)) / 3), byteUnits.length - 1)
  const amount = value / 1000 ** power
  return `${power > 0 && amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${byteUnits[power]}`
}
