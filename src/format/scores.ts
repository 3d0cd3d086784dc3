import { emptyValue } from './numbers.ts'

const usual = new Intl.NumberFormat('en', { maximumFractionDigits: 3 })
const small = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 })

/** A score may have any scale, so it is written as it is, with up to three decimals. */
export function scoreText(value: number | null) {
  if (value === null) return emptyValue
  return (value !== 0 && Math.abs(value) < 0.01 ? small : usual).format(value).replace('-', '−')
}

const withDigits = (digits: number) =>
  new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
const [large, middle, little] = [withDigits(1), withDigits(2), withDigits(3)]

/** A mean of scores, or a bound of one: with as many decimals as those beside it of its size, so `0.170` beside `0.639`. */
export function scoreMean(value: number | null) {
  if (value === null) return emptyValue
  const size = Math.abs(value)
  if (value !== 0 && size < 0.01) return scoreText(value)
  return (size >= 100 ? large : size >= 10 ? middle : little).format(value).replace('-', '−')
}

/** A difference of means with its sign: `+0.250`, `−1.500`. */
export const signedScore = (value: number) => (value > 0 ? `+${scoreMean(value)}` : scoreMean(value))
