import type { Interval } from '#statistics/bootstrap.ts'
import { comparePrompts } from '#statistics/compare-prompts.ts'
import { holm } from '#statistics/holm.ts'
import { type MatchedCell, isSingle } from '#statistics/match-cells.ts'
import { meanOf, quantile, varianceOf } from '#statistics/moments.ts'
import { permutationP, smallestPossibleP } from '#statistics/permutation.ts'
import { precisionOf } from '#statistics/samples.ts'
import type { Scope } from '#statistics/scope.ts'
import { seededRandom } from '#statistics/seeded-random.ts'
import { tOfTail, tailOfT } from '#statistics/student.ts'
import { significance, clampInterval } from '#statistics/verdict.ts'
import type { Solved } from './pass-at-k.ts'

/** A group with its runs by prompt. */
export type RankedGroup = { group: string; prompts: ReadonlyMap<string, Solved> }

export type Rank = {
  /** 1 + the number of groups shown to solve more; groups that cannot be told apart from the best share rank 1. */
  rank: number
  /** The 95 % range of the rank by solved rate when prompts are drawn again, and the shared rank. */
  range: Interval
}

const bootstrapDraws = 1000

/** More groups than this are not ranked: hardly any of their many pairs could be told apart after correction. */
export const maxRanked = 60

/**
 * Ranks groups by solved rate: 1 + the number of groups shown to solve more. Another group is shown to solve more if the
 * paired difference over the prompts that both have differs from zero, after Holm's correction over all comparisons of
 * this group. Returns null for more than `maxRanked` groups. docs/decisions/029-leaderboard.md says how often a best
 * group is named where there is none.
 */
export function rankGroups(
  groups: readonly RankedGroup[],
  scope: Scope,
  { seed = 1, draws = bootstrapDraws } = {},
): Rank[] | null {
  if (groups.length > maxRanked) return null
  const better = countBetter(groups, scope)
  return rankRanges(groups, draws, seededRandom(seed)).map((range, place) => {
    const rank = 1 + (better[place] ?? 0)
    return { rank, range: { low: Math.min(rank, range.low), high: Math.max(rank, range.high) } }
  })
}

/** For each group, how many others are shown to solve more. */
function countBetter(groups: readonly RankedGroup[], scope: Scope): number[] {
  const compared = groups.map((): PairedDifference[] => [])
  for (const [first, left] of groups.entries())
    for (const [offset, right] of groups.slice(first + 1).entries()) {
      const pair = pairedDifference(left, right, scope)
      compared[first]?.push(pair)
      compared[first + 1 + offset]?.push(reversed(pair))
    }
  return compared.map((pairs) => {
    const corrected = holm(pairs.map(({ pValue }) => pValue))
    return pairs.filter(({ difference }, place) => (difference ?? 0) < 0 && (corrected[place] ?? 1) < significance)
      .length
  })
}

const reversed = ({ difference, interval, pValue }: PairedDifference): PairedDifference => ({
  difference: difference === null ? null : -difference,
  interval: interval && { low: -interval.high, high: -interval.low },
  pValue,
})

/** Whether some outcome of as many runs on the prompts that both have could be told from chance. */
export function couldDiffer(left: RankedGroup, right: RankedGroup, scope: Scope) {
  const cells = commonCells(left, right)
  if (scope === 'prompts like these') return smallestPossibleP(cells.map(() => ({ left: 1, right: 1 }))) < significance
  if (cells.some(isSingle)) return false
  return smallestPossibleP(cells.map((cell) => ({ left: cell.left.length, right: cell.right.length }))) < significance
}

export type PairedDifference = { difference: number | null; interval: Interval | null; pValue: number | null }

export const nothingPaired: PairedDifference = { difference: null, interval: null, pValue: null }

/** The difference of two groups' solved rates, left minus right, over the prompts that both have runs on. */
export function pairedDifference(left: RankedGroup, right: RankedGroup, scope: Scope): PairedDifference {
  const cells = commonCells(left, right)
  if (cells.length === 0) return nothingPaired
  return scope === 'prompts like these' ? comparePrompts(cells, 1) : compareStrata(cells)
}

/** The runs of the prompts that both groups have runs on. */
export function commonCells(left: RankedGroup, right: RankedGroup): MatchedCell[] {
  return [...left.prompts].flatMap(([prompt, solved]) => {
    const others = right.prompts.get(prompt)
    if (!others || solved.runs === 0 || others.runs === 0) return []
    return [{ cell: prompt, prompts: [prompt], left: outcomesOf(solved), right: outcomesOf(others) }]
  })
}

const outcomesOf = ({ runs, solved }: Solved) => Array.from({ length: runs }, (_, run) => (run < solved ? 1 : 0))

/** For these prompts only runs vary. Without two runs of each group on every prompt, how much is not known. */
function compareStrata(cells: readonly MatchedCell[]): PairedDifference {
  const weight = 1 / cells.length
  const difference = meanOf(cells.map(({ left, right }) => meanOf(left) - meanOf(right)))
  if (cells.some(isSingle)) return { difference, interval: null, pValue: null }
  const { standardError, degrees } = precisionOf(
    cells.flatMap(({ left, right }) =>
      [left, right].map((values) => ({ weight, size: values.length, variance: varianceOf(values) })),
    ),
  )
  // Runs that never differ have no spread; only which group they belong to is left to chance.
  if (standardError === 0)
    return { difference, interval: null, pValue: permutationP(cells, difference, seededRandom(1)) }
  const reach = tOfTail(significance, degrees) * standardError
  const interval = clampInterval({ low: difference - reach, high: difference + reach }, 1)
  return { difference, interval, pValue: tailOfT(difference / standardError, degrees) }
}

/** The percentile interval of each group's rank by solved rate over bootstrap draws of the prompts of any group. */
function rankRanges(groups: readonly RankedGroup[], draws: number, random: () => number): Interval[] {
  const prompts = [...new Set(groups.flatMap(({ prompts: own }) => [...own.keys()]))]
  const runs = groups.map((group) => prompts.map((prompt) => group.prompts.get(prompt)?.runs ?? 0))
  const solved = groups.map((group) => prompts.map((prompt) => group.prompts.get(prompt)?.solved ?? 0))
  const ranks = groups.map(() => new Float64Array(draws))
  for (let draw = 0; draw < draws; draw += 1) {
    const drawn = prompts.map(() => Math.floor(random() * prompts.length))
    const shares = groups.map((_, group) => {
      let [all, good] = [0, 0]
      for (const place of drawn) {
        all += runs[group]?.[place] ?? 0
        good += solved[group]?.[place] ?? 0
      }
      return all === 0 ? -1 : good / all
    })
    for (const [group, share] of shares.entries()) {
      const above = shares.filter((other) => other > share).length
      const kept = ranks[group]
      if (kept) kept[draw] = 1 + above
    }
  }
  return ranks.map((drawn) => {
    const sorted = drawn.toSorted()
    return {
      low: Math.floor(quantile(sorted, significance / 2)),
      high: Math.ceil(quantile(sorted, 1 - significance / 2)),
    }
  })
}
