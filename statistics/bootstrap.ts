import { quantile, meanOf } from './moments.ts'
import type { Precision, Sample } from './samples.ts'
import { tOfTail, tailOfT } from './student.ts'

/** With 2,000 draws, a bound of the 95 % interval varies by a twentieth of the standard error. */
export const bootstrapDraws = 1999

/**
 * Resamples the runs of every sample with replacement and returns the sorted deviations of the estimate. Each sample's
 * deviations are scaled by √(n / (n − 1)), because resampled runs vary too little by that factor (Rao and Wu 1988).
 */
export function bootstrapDeviations(samples: readonly Sample[], random: () => number, draws: number) {
  const deviations = new Float64Array(draws)
  for (const { weight, values } of samples) {
    const size = values.length
    const mean = meanOf(values)
    const scale = weight * Math.sqrt(size / (size - 1))
    for (let draw = 0; draw < draws; draw += 1) {
      let sum = 0
      for (let run = 0; run < size; run += 1) sum += values[Math.floor(random() * size)] ?? 0
      deviations[draw] = (deviations[draw] ?? 0) + scale * (sum / size - mean)
    }
  }
  return deviations.toSorted()
}

export type Interval = { low: number; high: number }

type Spread = { estimate: number; deviations: Float64Array; degrees: number }

/**
 * The percentile interval, widened from normal to Student's quantiles because few runs underestimate their own spread
 * (Hesterberg 2015, "expanded percentile"). docs/decisions/006-interval-of-a-difference.md compares its error rate with
 * six others.
 */
export function intervalOf({ estimate, deviations, degrees }: Spread, tail: number): Interval {
  const stretch = tOfTail(tail, degrees) / tOfTail(tail, Infinity)
  return {
    low: estimate + stretch * quantile(deviations, tail / 2),
    high: estimate + stretch * quantile(deviations, 1 - tail / 2),
  }
}

/** The tail at which the interval just touches zero. It is below 0.05 exactly when the 95 % interval excludes zero. */
export function pValueOf(spread: Spread, { standardError }: Precision) {
  const reachesZero = (tail: number) => {
    const { low, high } = intervalOf(spread, tail)
    return low <= 0 && high >= 0
  }
  const smallest = 2 / (spread.deviations.length + 1)
  // Beyond its extreme draws the bootstrap has no information, so the t distribution it was widened to gives the
  // p-value.
  if (!reachesZero(smallest)) return Math.min(smallest, tailOfT(spread.estimate / standardError, spread.degrees))
  let [low, high] = [smallest, 1]
  for (let step = 0; step < 30; step += 1) {
    const middle = (low + high) / 2
    if (reachesZero(middle)) low = middle
    else high = middle
  }
  return high
}
