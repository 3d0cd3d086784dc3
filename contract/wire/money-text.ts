import { dollarsOf, type Micros } from './micros.ts'

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** `$12.40`. Amounts below a cent keep two significant digits, so a cheap run does not look free. */
export function dollarText(value: number): string {
  if (value !== 0 && Math.abs(value) < 0.01) return `${value < 0 ? '-' : ''}$${Math.abs(value).toPrecision(2)}`
  return dollars.format(value)
}

/** Credit, which the API counts in micros. */
export const creditText = (micros: Micros) => dollarText(dollarsOf(micros))

/** A payment, in the smallest unit of its currency. Only the payment provider knows that unit. */
export const paidAmount = ({ amount, currency }: { amount: string; currency: string }) =>
  currency === 'usd'
    ? dollars.format(Number(amount) / 100)
    : `${amount} in the smallest unit of ${currency.toUpperCase()}`
