import { emptyValue } from './numbers.ts'

const usual = new Intl.NumberFormat('en', { maximumFractionDigits: 3 })
const small = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 })

/** A score may have any scale, so it is written as it is, with up to three decimals. */
export function scoreText(value: number | null) {
  if (value === null) return emptyValue
  return (value !== 0 && Math.abs(value) < 0.01 ? small : usual).format(value).replace('-', '−')
}

/** With its sign: `+0.25`, `−1.5`. */
export const signedScore = (value: number) => (value > 0 ? `+${scoreText(value)}` : scoreText(value))
