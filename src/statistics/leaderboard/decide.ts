import { counted, percent, pointsText } from '#src/format/numbers.ts'
import { fewestPrompts, type Scope } from '#src/statistics/scope.ts'
import type { LeaderboardRow } from './leaderboard-rows.ts'
import { couldDiffer, maxRanked, pairedDifference } from './rank-groups.ts'

type Where = { scope: Scope; prompts: number; groups: number }

/** The answer of a leaderboard in one or two sentences, which claim no more than its intervals allow. */
export function decide(rows: readonly LeaderboardRow[], scope: Scope): string {
  const ranked = rows.filter((row) => row.counted > 0)
  const [best, second] = ranked
  if (!best) return 'No run counts yet: every finished run was canceled or has no tests.'
  const where = {
    scope,
    groups: ranked.length,
    prompts: new Set(ranked.flatMap(({ prompts }) => [...prompts.keys()])).size,
  }
  if (!second) return `${best.label} solves ${shareOf(best)} of its runs${intervalText(best)} ${whereText(where)}.`
  if (ranked.length > maxRanked)
    return `${best.label} has the highest solved rate, ${shareOf(best)}. ${counted(ranked.length, 'group')} are too many to tell apart: filter to ${maxRanked} or fewer.`
  const missing = whatIsMissing(ranked, where)
  if (missing) return `Not enough data to say which is best: ${missing}. ${best.label} is ahead with ${shareOf(best)}.`
  const tied = ranked.filter(({ rank }) => rank?.rank === 1)
  return tied.length === 1 ? winnerText(best, second, where) : tieText(tied, where)
}

const shareOf = ({ solved }: LeaderboardRow) => percent(solved.share, 1)

/** ` (95 % CI 48.9 % to 68.6 %)`, or nothing for a row without an interval. */
export const intervalText = ({ solved: { interval } }: LeaderboardRow) =>
  interval ? ` (95 % CI ${percent(interval.low, 1)} to ${percent(interval.high, 1)})` : ''

function whereText({ scope, prompts }: Where) {
  if (scope === 'prompts like these') return 'on prompts like these'
  return prompts < 2 ? 'on this prompt' : `on these ${prompts} prompts`
}

/** Why no comparison with the first group could come out, and what it would take; null if one could. */
function whatIsMissing([best, ...others]: readonly LeaderboardRow[], { scope }: Where): string | null {
  if (!best || others.some((other) => couldDiffer(best, other, scope))) return null
  if (scope === 'prompts like these')
    return `every group needs at least ${fewestPrompts} prompts that the others have too`
  const repeats = Math.min(best.repeats, ...others.map((row) => row.repeats))
  if (repeats < 2) return 'every group needs at least 2 runs of each prompt'
  return `${counted(repeats, 'run')} of each prompt are too few for any difference to be told from chance`
}

/** `droid solves the most: 58.8 % of its runs, 9.5 points more than ob1 (95 % CI +2.1 to +16.9), on prompts like these.` */
function winnerText(best: LeaderboardRow, second: LeaderboardRow, where: Where) {
  const { difference, interval } = pairedDifference(best, second, where.scope)
  const range = interval ? ` (95 % CI ${pointsText(interval.low)} to ${pointsText(interval.high)})` : ''
  const more = difference === null ? '' : `, ${points(difference)} points more than ${second.label}${range}`
  return `${best.label} solves the most: ${shareOf(best)} of its runs${more}, ${whereText(where)}.${costText([best, second])}`
}

const points = (share: number) => (Math.abs(share) * 100).toFixed(1)

/** `droid and ob1 cannot be told apart on prompts like these. ob1 costs 38 % less per solved task.` */
function tieText(tied: readonly LeaderboardRow[], where: Where) {
  const [first, second] = tied
  const pair = tied.length === 2 && first && second ? betweenText(first, second, where) : ''
  const names = tied.length > 4 ? `The first ${tied.length} groups` : listOf(tied.map(({ label }) => label))
  return `${names} cannot be told apart ${whereText(where)}${pair}.${costText(tied)}`
}

/** An interval without zero is no contradiction: of many comparisons some find a difference by chance. */
function betweenText(first: LeaderboardRow, second: LeaderboardRow, { scope, groups }: Where) {
  const { difference, interval } = pairedDifference(first, second, scope)
  if (difference === null || !interval) return ''
  const range = `95 % CI ${pointsText(interval.low)} to ${pointsText(interval.high)}`
  const isChance = interval.low > 0 || interval.high < 0
  return `: ${points(difference)} points between them (${range}) may be chance${isChance ? ` among ${groups - 1} comparisons` : ''}`
}

const listOf = (names: readonly string[]) => new Intl.ListFormat('en', { type: 'conjunction' }).format(names)

/** Which of the groups costs least per solved task, beside the first of them; nothing where costs are not known. */
function costText(rows: readonly LeaderboardRow[]): string {
  const [first, ...others] = rows.filter(({ costPerSolved }) => costPerSolved !== null)
  if (!first || others.length === 0 || first !== rows[0]) return ''
  const cheapest = [first, ...others].toSorted((a, b) => (a.costPerSolved ?? 0) - (b.costPerSolved ?? 0))[0] ?? first
  if (cheapest === first) return ` ${first.label} also costs the least per solved task.`
  const saved = 1 - (cheapest.costPerSolved ?? 0) / (first.costPerSolved ?? 1)
  const beside = rows.length > 2 ? ` than ${first.label}` : ''
  return ` ${cheapest.label} costs ${percent(saved)} less${beside} per solved task.`
}
