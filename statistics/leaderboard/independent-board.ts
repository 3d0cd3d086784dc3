/*
 * For tests: what a leaderboard must say of solved runs on prompts like these, from docs/decisions/124 and textbooks. It
 * shares no code with the product.
 */

/** Solved and all runs, by prompt. */
export type Tallies = ReadonlyMap<string, { solved: number; runs: number }>

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const mean = (values: readonly number[]) => sum(values) / values.length
const variance = (values: readonly number[]) =>
  sum(values.map((value) => (value - mean(values)) ** 2)) / (values.length - 1)

/** The integral of cos^power from 0 to `end`, by Simpson's rule. */
function integral(power: number, end: number) {
  const steps = 800
  const at = (step: number) => Math.cos((end * step) / steps) ** power
  const inner = Array.from({ length: steps - 1 }, (_, index) => at(index + 1) * (index % 2 === 0 ? 4 : 2))
  return ((at(0) + sum(inner) + at(steps)) * end) / steps / 3
}

/** The two-sided probability of a larger t, with t = √degrees · tan θ. */
export const tailOf = (t: number, degrees: number) =>
  1 - integral(degrees - 1, Math.atan(Math.abs(t) / Math.sqrt(degrees))) / integral(degrees - 1, Math.PI / 2)

const quantiles = new Map<number, number>()

/** The 97.5 % quantile, by bisection. */
export function quantileOf(degrees: number): number {
  let [low, high] = [0, 100]
  for (let step = 0; step < 50 && !quantiles.has(degrees); step += 1) {
    const middle = (low + high) / 2
    if (tailOf(middle, degrees) > 0.05) low = middle
    else high = middle
  }
  const found = quantiles.get(degrees) ?? (low + high) / 2
  quantiles.set(degrees, found)
  return found
}

/** The mean over prompts, and Wilson's interval with as many draws as have the standard error of the prompts' means. */
export function rateOfTallies(tallies: Tallies) {
  const shares = [...tallies.values()].map(({ solved, runs }) => solved / runs)
  const share = mean(shares)
  const runs = sum([...tallies.values()].map((tally) => tally.runs))
  const spread = share * (1 - share)
  const draws = Math.min(runs, Math.max(shares.length, spread / (variance(shares) / shares.length)))
  const square = quantileOf(shares.length - 1) ** 2
  const center = (share + square / (2 * draws)) / (1 + square / draws)
  const reach = (Math.sqrt(square) * Math.sqrt(spread / draws + square / (4 * draws ** 2))) / (1 + square / draws)
  return {
    share,
    low: center - reach,
    high: center + reach,
    runs,
    solved: sum([...tallies.values()].map((tally) => tally.solved)),
  }
}

/** The paired t-test over the prompts that both ran, left minus right. */
export function pairOfTallies(left: Tallies, right: Tallies) {
  const differences = [...left].flatMap(([prompt, ours]) => {
    const theirs = right.get(prompt)
    return theirs ? [ours.solved / ours.runs - theirs.solved / theirs.runs] : []
  })
  const degrees = differences.length - 1
  const error = Math.sqrt(variance(differences) / differences.length)
  const difference = mean(differences)
  const reach = quantileOf(degrees) * error
  return { difference, low: difference - reach, high: difference + reach, p: tailOf(difference / error, degrees) }
}

type Pair = { left: string; right: string; difference: number; p: number }

/** Holm's procedure by its definition: the places of the hypotheses that it rejects. */
function holmRejects(pairs: readonly Pair[], level: number): Set<Pair> {
  const sorted = pairs.toSorted((a, b) => a.p - b.p)
  const kept = sorted.findIndex(({ p }, place) => p > level / (sorted.length - place))
  return new Set(kept < 0 ? sorted : sorted.slice(0, kept))
}

/** The best group and the ranks: from the pairs that the rule for many groups rejects, without adjusted p-values. */
export function ranksOf(groups: readonly string[], pairs: readonly Pair[]) {
  const winner = ({ left, right, difference }: Pair) => (difference > 0 ? left : right)
  const leader = groups.find((group) => pairs.filter((pair) => winner(pair) === group).length === groups.length - 1)
  const isLeaders = ({ left, right }: Pair) => left === leader || right === leader
  const ofLeader = pairs.filter(isLeaders)
  // Two groups keep their plain p-value.
  const level = groups.length === 2 ? 0.05 : 0.025
  const isBest = leader !== undefined && Math.max(...ofLeader.map(({ p }) => p)) < level
  const rest = pairs.filter((pair) => !isLeaders(pair))
  const rejected = isBest ? new Set([...ofLeader, ...holmRejects(rest, 0.05)]) : holmRejects(pairs, level)
  const ranks = groups.map((group) => {
    const own = [...rejected].filter(({ left, right }) => left === group || right === group)
    const worse = own.filter((pair) => winner(pair) === group).length
    const rank = 1 + own.length - worse
    return { rank, low: rank, high: groups.length - worse }
  })
  return { best: isBest ? leader : null, ranks }
}
