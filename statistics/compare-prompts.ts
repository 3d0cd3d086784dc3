import { boundOfPrompts } from './bound-of-equal.ts'
import { isSettled, scoreErrorOf } from './compare-strata.ts'
import { differencesOf } from './differences.ts'
import { averageOverTasks, type MeanOverTasks, type PromptMeans } from './mean-over-tasks.ts'
import type { Stratum } from './precision.ts'
import { tOfTail, tailOfT } from './student.ts'
import { type Finding, significance, verdictAt, clampInterval } from './verdict.ts'

/**
 * Compares two groups on prompts like the matched ones, whose tasks count as a random sample: a t-test on one difference
 * per prompt, left minus right, with the error of `meanOverTasks`. The spread of those differences includes the spread
 * between prompts and between runs. The strata that the differences come from say whether any run differs at all.
 *
 * Where one group has far fewer runs, they are often all alike by chance, and then the differences hardly vary. There the
 * p-value is at least that of the score test of `compareStrata`, and the interval as wide as the wider of both.
 */
export function comparePrompts(means: readonly PromptMeans[], strata: readonly Stratum[], largest: number): Finding {
  const found = averageOverTasks(means)
  const { difference, precision } = found
  const { standardError, degrees } = precision
  const scoreError = hasFarFewerRuns(strata) ? scoreErrorOf(strata) : 0
  const overTasks = testOverTasks(found)
  const overRuns = scoreError === 0 ? 0 : tailOfT(difference / scoreError, Infinity)
  const pValue = overTasks === null ? null : Math.max(overTasks, overRuns)
  const bound = boundOfPrompts(differencesOf(means), found.tasks)
  const without = { difference, pValue, precision, interval: null, bound }
  if (pValue === null) return { ...without, verdict: 'too few' }
  if (standardError === 0) return { ...without, verdict: strata.every(isSettled) ? 'identical' : verdictAt(pValue) }
  const reach = Math.max(tOfTail(significance, degrees) * standardError, tOfTail(significance, Infinity) * scoreError)
  const interval = clampInterval({ low: difference - reach, high: difference + reach }, largest)
  return { ...without, verdict: verdictAt(pValue), interval }
}

/** Up to this ratio of the runs of both groups, equal groups differ in at most 6 of 100 experiments by the t-test alone. */
const farFewer = 1.5

function hasFarFewerRuns(strata: readonly Stratum[]) {
  let [left, right] = [0, 0]
  for (const stratum of strata) {
    left += stratum.left.runs
    right += stratum.right.runs
  }
  return Math.max(left, right) >= farFewer * Math.min(left, right)
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
