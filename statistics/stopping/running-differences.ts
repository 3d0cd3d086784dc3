import { isEqualButForRounding } from '#statistics/differences.ts'
import { testPrompts } from '#statistics/compare-prompts.ts'
import type { RunSummary } from '#statistics/run-summary.ts'

/**
 * The test of two groups on prompts like these, prompt after prompt: after each it is that of `comparePrompts` with all
 * prompts so far, at the cost of the newest one. Differences are left minus right.
 */
export function runningDifference() {
  let [prompts, mean, squares, scale] = [0, 0, 0, 0]
  let [low, high] = [Infinity, -Infinity]
  return {
    add(left: RunSummary, right: RunSummary) {
      const difference = left.mean - right.mean
      prompts += 1
      // Welford (1962), which does not lose digits as sums of squares do.
      const step = difference - mean
      mean += step / prompts
      squares += step * (difference - mean)
      low = Math.min(low, difference)
      high = Math.max(high, difference)
      scale = Math.max(scale, Math.abs(left.mean), Math.abs(right.mean))
    },
    find() {
      const isConstant = isEqualButForRounding(low, high, scale)
      const center = isConstant && isEqualButForRounding(0, low, scale) ? 0 : mean
      const variance = isConstant ? 0 : squares / (prompts - 1)
      return testPrompts({ prompts, mean: center, variance })
    },
  }
}
