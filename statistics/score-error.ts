import { isSingle, type Precision, type Stratum } from './precision.ts'
import { isAlike, isBinary, type RunSummary } from './run-summary.ts'
import { tailOfT, tOfTail } from './student.ts'

/** `error` is 0 where Welch’s error is right. The others are the numbers of runs. */
export type ScoreError = { error: number; left: number; right: number }

/**
 * The standard error of the difference over all ways to label the runs of each of the m prompts left or right, stratum after
 * stratum: √(Σ m⁻² · S ÷ (N − 1) · (1 ÷ left + 1 ÷ right)), where S is the sum of squares of the N runs of both around their
 * mean. For runs that are 0 or 1 with the share p of 1, S is N · p(1 − p) (Mantel and Haenszel 1959).
 */
export function scoreErrors() {
  let [strata, variance, left, right] = [0, 0, 0, 0]
  let [areBinary, hasSingle] = [true, false]
  let [isLeftAlike, isRightAlike] = [true, true]
  return {
    add(stratum: Stratum) {
      strata += 1
      left += stratum.left.runs
      right += stratum.right.runs
      variance += varianceOf(stratum)
      areBinary &&= isBinary(stratum.left) && isBinary(stratum.right)
      hasSingle ||= isSingle(stratum)
      isLeftAlike &&= isAlike(stratum.left)
      isRightAlike &&= isAlike(stratum.right)
    },
    find(): ScoreError {
      // No run of one group differs from another on its prompt, and every prompt has several runs of both.
      const hasAlikeGroup = !hasSingle && (isLeftAlike || isRightAlike)
      return { error: areBinary || hasAlikeGroup ? Math.sqrt(variance) / strata : 0, left, right }
    },
  }
}

/** `scoreErrors` of all strata at once. */
export function scoreErrorOf(strata: readonly Stratum[]): ScoreError {
  const errors = scoreErrors()
  for (const stratum of strata) errors.add(stratum)
  return errors.find()
}

function varianceOf({ left, right }: Stratum) {
  const runs = left.runs + right.runs
  const within = squaresOf(left) + squaresOf(right)
  const between = ((left.runs * right.runs) / runs) * (left.mean - right.mean) ** 2
  return ((within + between) / (runs - 1)) * (1 / left.runs + 1 / right.runs)
}

const squaresOf = ({ runs, variance }: RunSummary) => (runs - 1) * (variance ?? 0)

/** The p-value of the score test; 0 without a score error. */
export const scoreP = (difference: number, scoreError: number) =>
  scoreError === 0 ? 0 : tailOfT(difference / scoreError, Infinity)

/** Half of the width of an interval that excludes zero exactly if both p-values are below the level. */
export const reachAt = (level: number, { standardError, degrees }: Precision, scoreError: number) =>
  Math.max(tOfTail(level, degrees) * standardError, tOfTail(level, Infinity) * scoreError)
