import { quantile, meanOf } from './moments.ts'
import type { Precision, Sample } from './samples.ts'
import { tOfTail, tailOfT } from './student.ts'

/** With 2,000 draws a bound of the 95 % interval is off by a twentieth of the standard error. */
export const bootstrapDraws = 1999

/**
 * How far the estimate strays when every sample's runs are drawn again with replacement: sorted deviations. They are
 * stretched by √(n / (n − 1)) per sample, without which n runs vary too little by that factor (Rao and Wu 1988).
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
 * The percentile interval with its arms lengthened from the normal's reach to Student's, because a few runs know their
 * own spread badly (Hesterberg 2015, "expanded percentile"). docs/decisions/006-interval-of-a-difference.md says how
 * often it is wrong, beside six others.
 */
export function intervalOf({ estimate, deviations, degrees }: Spread, tail: number): Interval {
  const stretch = tOfTail(tail, degrees) / tOfTail(tail, Infinity)
  return {
    low: estimate + stretch * quantile(deviations, tail / 2),
    high: estimate + stretch * quantile(deviations, 1 - tail / 2),
  }
}

/** The tail at which the interval just reaches zero, so below 0.05 exactly when the 95 % interval leaves zero out. */
export function pValueOf(spread: Spread, { standardError }: Precision) {
  const reachesZero = (tail: number) => {
    const { low, high } = intervalOf(spread, tail)
    return low <= 0 && high >= 0
  }
  const smallest = 2 / (spread.deviations.length + 1)
  // Beyond the last draw the bootstrap knows nothing more; the t distribution it was stretched to goes on.
  if (!reachesZero(smallest)) return Math.min(smallest, tailOfT(spread.estimate / standardError, spread.degrees))
  let [low, high] = [smallest, 1]
  for (let step = 0; step < 30; step += 1) {
    const middle = (low + high) / 2
    if (reachesZero(middle)) low = middle
    else high = middle
  }
  return high
}
