import type { LeaderboardSummary } from '#contract/leaderboard.ts'
import { meanOf } from '#statistics/moments.ts'
import type { Interval } from '#statistics/significance.ts'
import { type CountedRuns, type CountingRules, countedRuns } from './counting-rules.ts'

type ByPrompt = ReadonlyMap<number, CountedRuns>

/** What the runs that are left out could change about a group. */
type LeftOutBounds = {
  leftOut: number
  /** Its solved rate if none of them were solved, and if all were; null without a run. */
  rate: Interval | null
  /** Its place by solved rate at best and at worst, whatever the runs left out of any group would have done. */
  places: Interval
}

/** Two groups whose order the runs left out could reverse. */
type Reversal = {
  ahead: string
  behind: string
  /** The difference if no run left out of the first and every run left out of the second were solved. */
  worst: number
}

export type Bounds = { groups: ReadonlyMap<string, LeftOutBounds>; reversals: Reversal[] }

/** A difference that is no more than this is none. */
const rounding = 1e-9

/**
 * The best and the worst case for runs that are left out: all of them solved, or none. Two groups are compared on the
 * prompts that both have runs on, counted or left out. `order` has the groups of a leaderboard, the first one first.
 */
export function boundLeftOut(summary: LeaderboardSummary, rules: CountingRules, order: readonly string[]): Bounds {
  const byGroup = new Map(summary.groups.map((group) => [group.group, countedRuns(group, rules) ?? new Map()]))
  const groups = order.map((group) => ({ group, prompts: withRuns(byGroup.get(group) ?? new Map()) }))
  const places = new Map(order.map((group, place) => [group, { low: place + 1, high: place + 1 }]))
  const reversals: Reversal[] = []
  for (const [place, ahead] of groups.entries())
    for (const behind of groups.slice(place + 1)) {
      const worst = worstDifference(ahead.prompts, behind.prompts)
      if (worst === null || worst > -rounding || !hasLeftOut([ahead, behind])) continue
      reversals.push({ ahead: ahead.group, behind: behind.group, worst })
      const [down, up] = [places.get(ahead.group), places.get(behind.group)]
      if (down) down.high += 1
      if (up) up.low -= 1
    }
  return {
    reversals,
    groups: new Map(
      groups.map(({ group, prompts }) => [
        group,
        { leftOut: leftOutOf(prompts), rate: rateBounds(prompts), places: places.get(group) ?? { low: 1, high: 1 } },
      ]),
    ),
  }
}

const withRuns = (prompts: ByPrompt): ByPrompt =>
  new Map([...prompts].filter(([, { runs, leftOut }]) => runs + leftOut > 0))

const leftOutOf = (prompts: ByPrompt) => [...prompts.values()].reduce((sum, { leftOut }) => sum + leftOut, 0)

const hasLeftOut = (pair: readonly { prompts: ByPrompt }[]) => pair.some(({ prompts }) => leftOutOf(prompts) > 0)

const ifNoneSolved = ({ solved, runs, leftOut }: CountedRuns) => solved / (runs + leftOut)

const ifAllSolved = ({ solved, runs, leftOut }: CountedRuns) => (solved + leftOut) / (runs + leftOut)

const rateBounds = (prompts: ByPrompt): Interval | null =>
  prompts.size === 0
    ? null
    : { low: meanOf([...prompts.values()].map(ifNoneSolved)), high: meanOf([...prompts.values()].map(ifAllSolved)) }

/** Null where the groups share no prompt. */
function worstDifference(ahead: ByPrompt, behind: ByPrompt) {
  const differences = [...ahead].flatMap(([prompt, runs]) => {
    const others = behind.get(prompt)
    return others ? [ifNoneSolved(runs) - ifAllSolved(others)] : []
  })
  return differences.length === 0 ? null : meanOf(differences)
}
