/** Differences closer than this, relative to the means they come from, differ only by rounding. */
const rounding = 1e-9

/**
 * Left minus right of each pair of means. Differences that vary only by rounding are made equal: in floating point 0.9
 * − 0.8 is not 0.8 − 0.7, and a spread of 10⁻¹⁷ would turn chance into certainty.
 */
export function differencesOf(means: readonly { left: number; right: number }[]): number[] {
  const differences = means.map(({ left, right }) => left - right)
  const scale = Math.max(...means.flatMap(({ left, right }) => [Math.abs(left), Math.abs(right)]))
  if (!isEqualButForRounding(Math.min(...differences), Math.max(...differences), scale)) return differences
  const [first = 0] = differences
  return differences.map(() => (isEqualButForRounding(0, first, scale) ? 0 : first))
}

export const isEqualButForRounding = (one: number, other: number, scale: number) =>
  Math.abs(other - one) <= rounding * scale
