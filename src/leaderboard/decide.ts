import { usdBeside } from '#src/format/money.ts'
import { count, counted, decimalsOfRate, percent, pointsText } from '#src/format/numbers.ts'
import { fewestPrompts, type Scope } from '#statistics/scope.ts'
import type { LeaderboardRow } from '#statistics/leaderboard/leaderboard-rows.ts'
import { couldDiffer, maxRanked, type PairedDifference, pairedDifference } from '#statistics/leaderboard/rank-groups.ts'
import { couldRepeats, sameResultRepeats } from '#statistics/leaderboard/repeats-needed.ts'

/** One short answer below the verdict: `Lead: +8.3 points (over droid · claude-4-sonnet)`. */
type Fact = { label: string; value: string; detail: string }

/** Who is best, by how much, whether that is more than chance, and what it costs. */
export type Answer = {
  verdict: string
  facts: Fact[]
  /** Why the verdict may seem to contradict what the intervals show; null if it doesn't. */
  note: string | null
}

type Where = { scope: Scope; prompts: number; groups: number }

/**
 * The answer of a leaderboard, which claims no more than its intervals allow. While runs are unfinished or
 * not included yet, it may change and starts with "So far".
 */
export function decide(rows: readonly LeaderboardRow[], scope: Scope, isWhole: boolean): Answer {
  const answer = decideWhole(rows, scope)
  return isWhole ? answer : { ...answer, verdict: soFar(answer.verdict) }
}

/** A verdict starts with the name of a group, which keeps its letters, or with one of these words. */
const soFar = (verdict: string) =>
  verdict.startsWith('No runs count yet')
    ? verdict
    : `So far, ${verdict.replace(/^(No clear winner|Not enough data)\b/, (words) => words.toLowerCase())}`

function decideWhole(rows: readonly LeaderboardRow[], scope: Scope): Answer {
  const ranked = rows.filter((row) => row.counted > 0)
  const [best, second] = ranked
  if (!best)
    return onlyWords(
      'No runs count yet: all finished runs were canceled, have no tests, or were ended by infrastructure.',
    )
  const where: Where = { scope, groups: ranked.length, prompts: promptsOf(ranked) }
  if (!second)
    return {
      verdict: `${best.label} solves ${shareOf(best)} of its runs.`,
      facts: [intervalFact(best, where), costFact([best])],
      note: null,
    }
  if (ranked.length > maxRanked)
    return onlyWords(
      `${best.label} has the highest solved rate, ${shareOf(best)}. ${counted(ranked.length, 'group')} are too many to tell apart: filter to ${maxRanked} or fewer.`,
    )
  const missing = whatIsMissing(ranked, where)
  if (missing)
    return onlyWords(
      best.solved.share === second.solved.share
        ? `Not enough data to say which is best. The top groups are tied at ${shareOf(best)}, and ${missing}.`
        : `Not enough data to say which is best. ${best.label} is ahead with ${shareOf(best)}, but ${missing}.`,
    )
  const tied = ranked.filter(({ rank }) => rank?.rank === 1)
  return tied.length === 1 ? winner(best, second, where) : tie(tied, where)
}

/** The answer on one line, for a clip or a chat. */
export const answerText = ({ verdict, facts }: Answer) =>
  [verdict, ...facts.map(({ label, value, detail }) => `${label}: ${value}${detail && ` (${detail})`}.`)].join(' ')

const onlyWords = (verdict: string): Answer => ({ verdict, facts: [], note: null })

const promptsOf = (rows: readonly LeaderboardRow[]) => new Set(rows.flatMap(({ prompts }) => [...prompts.keys()])).size

const shareOf = ({ solved }: LeaderboardRow) => percent(solved.share, decimalsOfRate(solved.runs))

/** ` (95 % CI 48.9 % to 68.6 %)`, or nothing for a row without an interval. */
export const intervalText = ({ solved: { interval } }: LeaderboardRow) =>
  interval ? ` (95 % CI ${percent(interval.low, 1)} to ${percent(interval.high, 1)})` : ''

function whereText({ scope, prompts }: Where) {
  if (scope === 'prompts like these') return 'on prompts like these'
  return prompts < 2 ? 'on this prompt' : `on these ${count(prompts)} prompts`
}

/** Why no comparison with the first group could come out, and what it would take; null if one could. */
function whatIsMissing([best, ...others]: readonly LeaderboardRow[], { scope }: Where): string | null {
  if (!best || others.some((other) => couldDiffer(best, other, scope))) return null
  if (scope === 'prompts like these')
    return `every group needs at least ${fewestPrompts} prompts that the others have too`
  const needed = others.map((other) => couldRepeats(best, other))
  const known = needed.filter((repeats) => repeats !== null)
  if (known.length < needed.length) return 'it has no prompt in common with some other group'
  return `every group needs at least ${counted(Math.max(...known), 'run')} of each prompt to rule out chance`
}

function winner(best: LeaderboardRow, second: LeaderboardRow, where: Where): Answer {
  const pair = pairedDifference(best, second, where.scope)
  return {
    verdict: `${best.label} is best: it solves ${shareOf(best)} of its runs.`,
    facts: [
      { label: 'Lead', value: pointsOf(pair), detail: `over ${second.label}, the second with ${shareOf(second)}` },
      { label: 'More than chance?', value: 'Yes', detail: rangeText(pair, where) },
      costFact([best, second]),
    ],
    note: whiskerNote(best, second),
  }
}

/** Two intervals can overlap although the difference of each prompt is clear. */
function whiskerNote({ solved: { interval: left } }: LeaderboardRow, { solved: { interval: right } }: LeaderboardRow) {
  if (!left || !right || left.low > right.high) return null
  return 'Their intervals overlap, but the lead is clear: both groups ran the same prompts, so they are compared prompt by prompt.'
}

function tie(tied: readonly LeaderboardRow[], where: Where): Answer {
  const [first, second] = tied
  const names = tied.length > 4 ? `the first ${tied.length} groups` : listOf(tied.map(({ label }) => label))
  const verdict = `No clear winner: ${names} cannot be told apart${cheapestText(tied)}.`
  if (!first || !second) return onlyWords(verdict)
  const pair = pairedDifference(first, second, where.scope)
  const lead = {
    label: 'Lead',
    value: pointsOf(pair),
    detail: `${first.label} ${shareOf(first)}, ${second.label} ${shareOf(second)}`,
  }
  const chance = {
    label: 'More than chance?',
    value: 'Not shown',
    detail: `${isTooFew(pair) ? `${tooFewText(first, second, where)}, ` : ''}${rangeText(pair, where, chanceText(pair, where))}`,
  }
  return { verdict, facts: [lead, chance, costFact(tied)], note: null }
}

/** A difference without an interval, because no run differs from another of its group. */
const isTooFew = ({ difference, interval }: PairedDifference) => interval === null && (difference ?? 0) !== 0

/** How many runs it would take, where the results so far say anything about that. */
function tooFewText(first: LeaderboardRow, second: LeaderboardRow, { scope, groups }: Where) {
  const repeats = scope === 'these prompts' ? sameResultRepeats(first, second, groups - 1) : null
  return repeats === null
    ? 'too few runs to tell, and how many it would take is not known'
    : `too few runs to tell; ${counted(repeats, 'run')} of each prompt would do if the results stay the same`
}

/** `; b costs 38 % less per solved run`, of the groups that have a cost; nothing if none is cheaper. */
function cheapestText(tied: readonly LeaderboardRow[]) {
  const paid = tied.filter(({ costPerSolved }) => costPerSolved !== null)
  const [cheapest] = paid.toSorted((a, b) => (a.costPerSolved ?? 0) - (b.costPerSolved ?? 0))
  // Compared with the first of the leaderboard, or if that is the cheapest with the next.
  const other = paid.find((row) => row !== cheapest)
  if (!cheapest?.costPerSolved || !other?.costPerSolved) return ''
  const saved = 1 - cheapest.costPerSolved / other.costPerSolved
  if (saved < 0.005) return ''
  return paid.length === 2 && tied.length === 2
    ? `; ${cheapest.label} costs ${percent(saved)} less per solved run`
    : `; ${cheapest.label} is the cheapest${paid.length < tied.length ? ' with a recorded cost' : ''}, ${percent(saved)} less per solved run than ${other.label}`
}

const pointsOf = ({ difference }: PairedDifference) =>
  difference === null ? 'Unknown' : `${pointsText(difference)} points`

function rangeText({ interval }: PairedDifference, where: Where, more = '') {
  const range = interval ? `95 % CI ${pointsText(interval.low)} to ${pointsText(interval.high)} points, ` : ''
  return `${range}${whereText(where)}${more}`
}

/** An interval without zero is no contradiction: of many comparisons some find a difference by chance. */
function chanceText({ interval }: PairedDifference, { groups }: Where) {
  const isChance = interval !== null && (interval.low > 0 || interval.high < 0)
  return isChance ? `; may be chance among ${groups - 1} comparisons` : ''
}

const listOf = (names: readonly string[]) => new Intl.ListFormat('en', { type: 'conjunction' }).format(names)

function intervalFact({ solved: { interval } }: LeaderboardRow, where: Where): Fact {
  const value = interval ? `${percent(interval.low, 1)} to ${percent(interval.high, 1)}` : 'Unknown'
  return { label: '95 % CI', value, detail: whereText(where) }
}

/** What the first group costs per solved run, beside the cheapest of the others. */
function costFact(rows: readonly LeaderboardRow[]): Fact {
  const paid = rows.filter(({ costPerSolved }) => costPerSolved !== null)
  const [first] = rows
  const label = 'Cost per solved run'
  if (!first || paid.length === 0) return { label, value: 'Not recorded', detail: '' }
  const cost = first.costPerSolved
  if (cost === null) return { label, value: 'Not recorded', detail: `for ${first.label}` }
  const usd = usdBeside(paid.map(({ costPerSolved }) => costPerSolved))
  const value = usd(cost)
  if (paid.length === 1) return { label, value, detail: rows.length === 1 ? '' : `for ${first.label}` }
  const cheapest = paid.toSorted((a, b) => (a.costPerSolved ?? 0) - (b.costPerSolved ?? 0))[0] ?? first
  if (cheapest === first) return { label, value, detail: `for ${first.label}, the cheapest of ${paid.length}` }
  const saved = percent(1 - (cheapest.costPerSolved ?? 0) / cost)
  return {
    label,
    value,
    detail: `for ${first.label}; ${cheapest.label} costs ${usd(cheapest.costPerSolved)}, ${saved} less`,
  }
}
