import { type Comparison, significance, sizesOf } from './compare-groups.ts'
import { smallestPossibleP } from './permutation.ts'
import { precisionOf, spreadOf, toSamples } from './samples.ts'
import { tOfTail } from './student.ts'

/** How many more repeats of every matched cell, in both groups, would resolve a comparison. */
export type MoreRepeats =
  | { kind: 'repeats'; repeats: number }
  | { kind: 'more than'; repeats: number }
  /** Equal means: no number of repeats shows a difference of nothing. */
  | { kind: 'no difference' }
  /** It is resolved, or the groups have no cell in common. */
  | { kind: 'not needed' }

/** The chance that the interval leaves zero out, were the true difference the one seen. */
const power = 0.8

/** More than this many are not counted out: the difference is then small against what runs vary by themselves. */
const mostRepeats = 200

/**
 * The fewest repeats after which the 95 % interval would leave zero out in 80 of 100 such experiments, if runs go on to
 * vary and differ as those seen: (t₀.₉₇₅ + t₀.₈) × standard error ≤ |difference| (Cohen 1988, with Student's t).
 */
export function moreRepeats({ verdict, cells, difference }: Comparison): MoreRepeats {
  if (verdict === 'differs' || verdict === 'unmatched' || difference === null) return { kind: 'not needed' }
  if (difference === 0) return { kind: 'no difference' }
  const spreads = toSamples(cells).map(spreadOf)
  const sizes = cells.map(sizesOf)
  const suffices = (added: number) => {
    const sizesThen = sizes.map(({ left, right }) => ({ left: left + added, right: right + added }))
    if (smallestPossibleP(sizesThen) >= significance) return false
    const { standardError, degrees } = precisionOf(spreads, added)
    if (standardError === 0) return true
    // One-sided 0.8 is a two-sided tail of 0.4.
    return (tOfTail(significance, degrees) + tOfTail(2 * (1 - power), degrees)) * standardError <= Math.abs(difference)
  }
  let repeats = 1
  while (repeats <= mostRepeats && !suffices(repeats)) repeats += 1
  return repeats > mostRepeats ? { kind: 'more than', repeats: mostRepeats } : { kind: 'repeats', repeats }
}
