import { type Comparison, sizesOf } from './compare-groups.ts'
import { smallestPossibleP } from './permutation.ts'
import { type Precision, precisionOf, spreadOf, toSamples } from './samples.ts'
import { tOfTail } from './student.ts'
import { significance } from './verdict.ts'

/** Why no number of runs is suggested. */
export type NoSuggestion =
  /** Equal means: no number of runs shows a difference of nothing. */
  | { kind: 'no difference' }
  /** It is resolved, or the groups have no cell in common. */
  | { kind: 'not needed' }

/** How many more repeats of every matched cell, in both groups, would resolve a comparison on these prompts. */
export type MoreRepeats = { kind: 'repeats'; repeats: number } | { kind: 'more than'; repeats: number } | NoSuggestion

export function whyNoSuggestion({ verdict, difference }: Comparison): NoSuggestion | null {
  if (verdict === 'differs' || verdict === 'unmatched' || difference === null) return { kind: 'not needed' }
  return difference === 0 ? { kind: 'no difference' } : null
}

/** The chance that the interval leaves zero out, were the true difference the one seen. */
const power = 0.8

/** More than this many are not counted out: the difference is then small against what runs vary by themselves. */
export const maxRepeats = 200

/**
 * Whether the 95 % interval would leave zero out in 80 of 100 experiments of such precision:
 * (t₀.₉₇₅ + t₀.₈) × standard error ≤ |difference| (Cohen 1988, with Student's t).
 */
export function isPreciseEnough({ standardError, degrees }: Precision, difference: number) {
  if (standardError === 0) return true
  // One-sided 0.8 is a two-sided tail of 0.4.
  return (tOfTail(significance, degrees) + tOfTail(2 * (1 - power), degrees)) * standardError <= Math.abs(difference)
}

/** The fewest repeats that suffice, if runs go on to vary and differ as those seen. */
export function moreRepeats(comparison: Comparison): MoreRepeats {
  const none = whyNoSuggestion(comparison)
  if (none) return none
  const { cells } = comparison
  const difference = comparison.difference ?? 0
  const spreads = toSamples(cells).map(spreadOf)
  const sizes = cells.map(sizesOf)
  const isEnough = (added: number) => {
    const sizesThen = sizes.map(({ left, right }) => ({ left: left + added, right: right + added }))
    return smallestPossibleP(sizesThen) < significance && isPreciseEnough(precisionOf(spreads, added), difference)
  }
  let repeats = 1
  while (repeats <= maxRepeats && !isEnough(repeats)) repeats += 1
  return repeats > maxRepeats ? { kind: 'more than', repeats: maxRepeats } : { kind: 'repeats', repeats }
}
