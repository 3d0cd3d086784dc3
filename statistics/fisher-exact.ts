import { logGamma } from './student.ts'

/** How many of some runs have an outcome. */
export type Tally = { of: number; runs: number }

/** Tables that are as likely as the observed one differ by rounding. */
const tolerance = 1e-7

/**
 * Fisher's exact test (1922), two-sided: how likely a table with these totals is that is at most as likely as the observed
 * one, if both shares are the same.
 */
export function fisherExact(left: Tally, right: Tally): number {
  const total = left.of + right.of
  const least = Math.max(0, total - right.runs)
  const most = Math.min(total, left.runs)
  const ofAll = logChoose(left.runs + right.runs, total)
  const logLikelihood = (of: number) => logChoose(left.runs, of) + logChoose(right.runs, total - of) - ofAll
  const limit = logLikelihood(left.of) + tolerance
  let sum = 0
  for (let of = least; of <= most; of += 1) {
    const one = logLikelihood(of)
    if (one <= limit) sum += Math.exp(one)
  }
  return Math.min(1, sum)
}

const logChoose = (from: number, of: number) => logGamma(from + 1) - logGamma(of + 1) - logGamma(from - of + 1)
