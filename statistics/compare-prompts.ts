import { boundOfPrompts } from './bound-of-equal.ts'
import { isSettled } from './compare-strata.ts'
import { differencesOf } from './differences.ts'
import { averageOverTasks, type MeanOverTasks, type PromptMeans } from './mean-over-tasks.ts'
import type { Stratum } from './precision.ts'
import { tOfTail, tailOfT } from './student.ts'
import { type Finding, significance, verdictAt, clampInterval } from './verdict.ts'

/**
 * Compares two groups on prompts like the matched ones, whose tasks count as a random sample: a t-test on one difference
 * per prompt, left minus right, with the error of `meanOverTasks`. The spread of those differences includes the spread
 * between prompts and between runs. The strata that the differences come from say whether any run differs at all.
 */
export function comparePrompts(means: readonly PromptMeans[], strata: readonly Stratum[], largest: number): Finding {
  const found = averageOverTasks(means)
  const { difference, precision } = found
  const pValue = testOverTasks(found)
  const bound = boundOfPrompts(differencesOf(means), found.tasks)
  const without = { difference, pValue, precision, interval: null, bound }
  if (pValue === null) return { ...without, verdict: 'too few' }
  if (precision.standardError === 0)
    return { ...without, verdict: strata.every(isSettled) ? 'identical' : verdictAt(pValue) }
  const reach = tOfTail(significance, precision.degrees) * precision.standardError
  const interval = clampInterval({ low: difference - reach, high: difference + reach }, largest)
  return { ...without, verdict: verdictAt(pValue), interval }
}

/** The p-value, or null if no differences of so many tasks could be significant. */
export function testOverTasks({ difference, precision, tasks }: MeanOverTasks): number | null {
  // That all tasks differ in the same direction by chance.
  const chance = Math.min(1, 2 ** (1 - tasks))
  if (chance >= significance) return null
  // Without any spread, this is all that is known.
  if (precision.standardError === 0) return difference === 0 ? 1 : chance
  return tailOfT(difference / precision.standardError, precision.degrees)
}
