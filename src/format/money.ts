import { type Micros, dollarsOf } from '#contract/wire/micros.ts'
import { dollarText } from '#contract/wire/money-text.ts'
import { emptyValue } from './numbers.ts'

/** `$12.40`, or a dash without a value. */
export const usd = (value: number | null): string => (value === null ? emptyValue : dollarText(value))

/** Amounts beside each other, with as many decimals as make a percentage between them come out, at most five. */
export function usdBeside(values: readonly (number | null)[]): (value: number | null) => string {
  const least = Math.min(...values.filter((value) => value !== null && value > 0).map(Number))
  const decimals = Number.isFinite(least) ? Math.min(5, Math.max(2, 2 - Math.floor(Math.log10(least)))) : 2
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  return (value) => (value === null ? emptyValue : format.format(value))
}

/** Credit, which the API counts in micros. */
export const credit = (micros: Micros) => usd(dollarsOf(micros))
