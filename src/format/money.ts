import { type Micros, dollarsOf } from '#contract/wire/micros.ts'
import { dollarText } from '#contract/wire/money-text.ts'
import { emptyValue } from './numbers.ts'

/** `$12.40`, or a dash without a value. */
export const usd = (value: number | null): string => (value === null ? emptyValue : dollarText(value))

/** Credit, which the API counts in micros. */
export const credit = (micros: Micros) => usd(dollarsOf(micros))
