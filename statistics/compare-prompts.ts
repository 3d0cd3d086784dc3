import { isSettled } from './compare-strata.ts'
import { meanOf, varianceOf } from './moments.ts'
import { smallestPossibleP } from './permutation.ts'
import type { Stratum } from './precision.ts'
import { tOfTail, tailOfT } from './student.ts'
import { type Finding, significance, verdictAt, clampInterval } from './verdict.ts'

/**
 * Compares two groups on prompts like the matched ones, which count as a random sample: a t-test on one difference per
 * prompt, left minus right. The spread of those differences includes the spread between prompts and between runs. The
 * strata that the differences come from say whether any run differs at all.
 */
export function comparePrompts(differences: readonly number[], strata: readonly Stratum[], largest: number): Finding {
  const size = differences.length
  const difference = meanOf(differences)
  const precision = { standardError: Math.sqrt(varianceOf(differences) / size), degrees: size - 1 }
  const chance = smallestPossibleP(differences.map(() => ({ left: 1, right: 1 })))
  if (chance >= significance) return { verdict: 'too few', difference, interval: null, pValue: null, precision }
  // Without any spread there is no interval, only the probability that all prompts differ in the same direction.
  if (precision.standardError === 0) {
    const pValue = difference === 0 ? 1 : chance
    const verdict = strata.every(isSettled) ? 'identical' : verdictAt(pValue)
    return { verdict, difference, interval: null, pValue, precision }
  }
  const pValue = tailOfT(difference / precision.standardError, precision.degrees)
  const reach = tOfTail(significance, precision.degrees) * precision.standardError
  const interval = clampInterval({ low: difference - reach, high: difference + reach }, largest)
  return { verdict: verdictAt(pValue), difference, interval, pValue, precision }
}
