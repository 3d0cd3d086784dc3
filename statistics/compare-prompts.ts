import { boundOfPrompts } from './bound-of-equal.ts'
import { isSettled } from './compare-strata.ts'
import { meanOf, varianceOf } from './moments.ts'
import type { Precision, Stratum } from './precision.ts'
import { tOfTail, tailOfT } from './student.ts'
import { type Finding, significance, verdictAt, clampInterval } from './verdict.ts'

/**
 * Compares two groups on prompts like the matched ones, which count as a random sample: a t-test on one difference per
 * prompt, left minus right. The spread of those differences includes the spread between prompts and between runs. The
 * strata that the differences come from say whether any run differs at all.
 */
export function comparePrompts(differences: readonly number[], strata: readonly Stratum[], largest: number): Finding {
  const tested = testPrompts({
    prompts: differences.length,
    mean: meanOf(differences),
    variance: varianceOf(differences),
  })
  const { difference, pValue, precision } = tested
  const without = { ...tested, interval: null, bound: boundOfPrompts(differences) }
  if (pValue === null) return { ...without, verdict: 'too few' }
  if (precision.standardError === 0)
    return { ...without, verdict: strata.every(isSettled) ? 'identical' : verdictAt(pValue) }
  const reach = tOfTail(significance, precision.degrees) * precision.standardError
  const interval = clampInterval({ low: difference - reach, high: difference + reach }, largest)
  return { ...tested, verdict: verdictAt(pValue), interval, bound: null }
}

/** One difference per prompt. */
type Moments = { prompts: number; mean: number; variance: number }

/** The p-value is null if no differences of so many prompts could be significant. */
export function testPrompts({ prompts, mean: difference, variance }: Moments) {
  const precision: Precision = { standardError: Math.sqrt(variance / prompts), degrees: prompts - 1 }
  // That all prompts differ in the same direction by chance.
  const chance = Math.min(1, 2 ** (1 - prompts))
  if (chance >= significance) return { difference, pValue: null, precision }
  // Without any spread, this is all that is known.
  if (precision.standardError === 0) return { difference, pValue: difference === 0 ? 1 : chance, precision }
  return { difference, pValue: tailOfT(difference / precision.standardError, precision.degrees), precision }
}
