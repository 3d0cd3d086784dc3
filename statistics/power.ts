import type { Precision } from './precision.ts'
import { tOfTail } from './student.ts'
import { significance } from './verdict.ts'

/** The probability that a difference of this size is shown. */
const power = 0.8

/**
 * The smallest true difference whose p-value is below `level` in 80 of 100 experiments with this precision:
 * (t₁₋level/2 + t₀.₈) × standard error (Cohen 1988, with Student's t).
 */
export const detectableWith = ({ standardError, degrees }: Precision, level = significance) =>
  // One-sided 0.8 is a two-sided tail of 0.4.
  (tOfTail(level, degrees) + tOfTail(2 * (1 - power), degrees)) * standardError
