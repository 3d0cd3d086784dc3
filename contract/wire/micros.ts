import { z } from 'zod'

/** 1 credit dollar = 1,000,000 micros, sent as a decimal integer string, never as a number. */
export const Micros = z.string().regex(/^-?\d{1,30}$/, 'must be a whole number of micros')
export type Micros = z.infer<typeof Micros>

export const microsPerDollar = 1_000_000n

const centsPerDollar = 100n
export const microsPerCent = microsPerDollar / centsPerDollar

/** Plain dollars with at most two decimals: no sign, exponent, separator or surrounding whitespace. */
const plainDollars = /^(0|[1-9]\d{0,8})(?:\.(\d{1,2}))?$/

/** Parses `'12.5'` to `12_500_000n`. Returns null for any other format. */
export function dollarsToMicros(text: string): bigint | null {
  const [, whole, cents = ''] = plainDollars.exec(text) ?? []
  if (whole === undefined) return null
  return BigInt(whole) * microsPerDollar + BigInt(cents.padEnd(2, '0')) * microsPerCent
}

/** Formats `12_500_000n` as `'12.50'`, with exactly two decimals. */
export function microsToDollars(micros: bigint): string {
  const cents = micros / microsPerCent
  return `${cents / centsPerDollar}.${String(cents % centsPerDollar).padStart(2, '0')}`
}

/** Converts micros to dollars, for display and comparison. */
export const dollarsOf = (micros: Micros): number => Number(micros) / Number(microsPerDollar)
