import { counted } from '#src/format/numbers.ts'
import type { Comparison } from './compare-groups.ts'

/** How a measure is talked about: `careful passes 12 points more often than hasty`. */
export type MeasureWords = {
  verb: string
  /** An amount that is not negative, with its unit. */
  amount: (value: number) => string
  /** The same without its unit where that is said beside it: `3 to 21`. */
  bare: (value: number) => string
  more: string
  less: string
}

type Names = { left: string; right: string; words: MeasureWords }

/** What a comparison found, in one sentence that claims no more than its interval allows. */
export function comparisonSentence(comparison: Comparison, { left, right, words }: Names): string {
  const { verdict, difference, interval } = comparison
  if (verdict === 'unmatched' || difference === null) return unknownSentence(comparison, { left, right })
  const direction = (value: number) => `${words.amount(Math.abs(value))} ${value < 0 ? words.less : words.more}`
  const size = sizeOf(comparison)
  const seen = difference === 0 ? 'the means are equal' : `seen: ${direction(difference)}`
  if (verdict === 'identical')
    return `No difference seen: every run of ${left} and ${right} came out the same, ${size}.`
  if (verdict === 'too few') return `Too few runs to tell ${left} from ${right} (${seen}, ${size}).`
  if (!interval) {
    const never = 'runs of one cell never varied, so there is no interval'
    if (verdict === 'unresolved') return `Unresolved: ${left} and ${right}, ${seen}; ${never}, ${size}.`
    return `${left} ${words.verb} ${direction(difference)} than ${right} (${never}), ${size}.`
  }
  const { low, high } = interval
  if (verdict === 'differs') {
    const [near, far] = [low, high].map(Math.abs).toSorted((a, b) => a - b)
    const range = `${words.bare(near ?? 0)} to ${words.bare(far ?? 0)}`
    return `${left} ${words.verb} ${direction(difference)} than ${right} (95 % interval ${range}), ${size}.`
  }
  const range = `between ${direction(low)} and ${direction(high)} than ${right}`
  return `Unresolved: ${left} ${words.verb} ${range} (95 % interval; ${seen}), ${size}.`
}

const sizeOf = ({ left, right, cells }: Comparison) =>
  `${left.used} and ${right.used} runs in ${counted(cells.length, 'matched cell')}`

function unknownSentence({ left, right }: Comparison, names: { left: string; right: string }) {
  const withValue = (use: Comparison['left']) => use.used + use.unmatched + use.alone
  for (const [name, use] of [
    [names.left, left],
    [names.right, right],
  ] as const) {
    if (withValue(use) === 0) return `No run of ${name} has a value to compare.`
  }
  if (left.alone > 0) return `Too few runs: a single cell matches, with one run of ${names.left} or ${names.right}.`
  return `${names.left} and ${names.right} have no matched cell: they never ran under the same other axes.`
}
