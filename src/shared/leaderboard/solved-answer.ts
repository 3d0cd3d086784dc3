import { count, counted, percent, pointsText } from '#src/format/numbers.ts'
import { fewestPrompts } from '#statistics/scope.ts'
import type { Board, LeaderboardRow } from '#statistics/leaderboard/leaderboard-rows.ts'
import { maxRanked, type RelatedPair, type RowRelation } from '#statistics/leaderboard/relate-rows.ts'
import { couldRepeats, sameResultRepeats } from '#statistics/leaderboard/repeats-needed.ts'
import { significance } from '#statistics/significance.ts'
import { type Answer, type Fact, onlyWords } from './answer.ts'
import { cheapestText, costFacts } from './cost-answer.ts'
import { pWords } from './difference-words.ts'
import { shareOf, solvesText } from './rate-words.ts'
import { answerSoFar } from './so-far.ts'

/** `tasks`: if a prompt names its task. */
type Where = Pick<Board, 'scope' | 'relation' | 'costs'> & { prompts: number; tasks: number }

/**
 * The answer of a leaderboard, which claims what its relation shows and no more. While runs are unfinished or
 * not included yet, it may change and starts with "So far".
 */
export function answerBySolved(board: Board, isWhole: boolean): Answer {
  const answer = answerWhole(board)
  return isWhole && !board.unfinished ? answer : answerSoFar(answer, board.unfinished)
}

function answerWhole({ rows, scope, relation, costs }: Board): Answer {
  const ranked = rows.filter((row) => row.counted > 0)
  const [first, second] = ranked
  if (!first) return onlyWords(`No runs count yet: ${whyNone(rows)}.`)
  const where: Where = { scope, relation, costs, prompts: promptsOf(ranked), tasks: tasksOf(ranked) }
  if (!second)
    return {
      verdict: `${first.label} ${solvesText(first)}.`,
      facts: [intervalFact(first, where), ...costFacts([first], costs)],
      note: null,
    }
  if (relation.isTooMany)
    return onlyWords(
      `${first.label} has the highest solved rate, ${shareOf(first)}. ${counted(ranked.length, 'group')} are too many to tell apart: filter to ${maxRanked} or fewer.`,
    )
  const missing = whatIsMissing(ranked, where)
  if (missing)
    return onlyWords(
      first.solved.share === second.solved.share
        ? `Not enough data to say which is best. The top groups are tied at ${shareOf(first)}, and ${missing}.`
        : `Not enough data to say which is best. ${first.label} is ahead with ${shareOf(first)}, but ${missing}.`,
    )
  return relation.best === first.group ? winner(ranked, where) : tie(tiedOf(ranked, relation), where)
}

/** Why no run counts. Tools that judge nothing leave runs without tests. */
function whyNone(rows: readonly LeaderboardRow[]) {
  const endings = rows.flatMap(({ facts }) => facts.endings?.ending ?? [])
  return endings.length > 0 && endings.every((ending) => ending === 'untested')
    ? 'none of them has a test, or a verdict of its tool'
    : 'all finished runs were canceled, have no tests, or are left out'
}

/** The groups that may be best. Where only one shares no rank, those that it is not shown to beat. */
function tiedOf(ranked: readonly LeaderboardRow[], relation: RowRelation) {
  const tied = ranked.filter(({ rank }) => rank?.rank === 1)
  const [first] = tied
  if (!first || tied.length > 1) return tied
  return ranked.filter(
    (row) => row === first || (relation.between(first.group, row.group).adjustedP ?? 1) >= significance,
  )
}

const promptsOf = (rows: readonly LeaderboardRow[]) => new Set(rows.flatMap(({ prompts }) => [...prompts.keys()])).size

const tasksOf = (rows: readonly LeaderboardRow[]) =>
  new Set(rows.flatMap(({ prompts }) => [...prompts.values()].flatMap(({ task }) => task ?? []))).size

function whereText({ scope, prompts, tasks }: Where) {
  if (scope === 'prompts like these') return `on prompts like these${tasks > 0 ? ` (${counted(tasks, 'task')})` : ''}`
  return prompts < 2 ? 'on this prompt' : `on these ${count(prompts)} prompts`
}

/** Why no comparison with the first group could come out, and what it would take; null if one could. */
export function whatIsMissing(
  [first, ...others]: readonly { group: string; prompts: ReadonlyMap<string, unknown> }[],
  { scope, relation, tasks = 0 }: Pick<Where, 'scope' | 'relation'> & Partial<Where>,
): string | null {
  if (!first || others.some(({ group }) => relation.between(first.group, group).pValue !== null)) return null
  if (scope === 'prompts like these')
    return `every group needs at least ${fewestPrompts} ${tasks > 0 ? 'tasks' : 'prompts'} that the others have too`
  const needed = others.map((other) => couldRepeats(first.prompts, other.prompts))
  const known = needed.filter((repeats) => repeats !== null)
  if (known.length < needed.length) return 'not all groups have a prompt in common'
  return `every group needs at least ${counted(Math.max(...known), 'run')} of each prompt to rule out chance`
}

function winner(ranked: readonly LeaderboardRow[], where: Where): Answer {
  const [best, second] = ranked as [LeaderboardRow, LeaderboardRow]
  const pair = where.relation.between(best.group, second.group)
  return {
    verdict: `${best.label} is best: it ${solvesText(best)}.`,
    facts: [
      { label: 'Lead', value: pointsOf(pair), detail: `over ${leadText(pair, best, second)}` },
      { label: 'More than chance?', value: 'Yes', detail: rangeText(pair, where) },
      ...costFacts([best, second], where.costs),
    ],
    note: coverageNote(ranked) ?? whiskerNote(best, second),
  }
}

/** `bad, the second with 40 %`; where the two ran different prompts, what each solves on those that both ran. */
function leadText({ prompts, left, right, leftOut }: RelatedPair, best: LeaderboardRow, second: LeaderboardRow) {
  if (prompts === best.prompts.size && prompts === second.prompts.size)
    return `${second.label}, the second with ${shareOf(second)}`
  const [ours, theirs] = [percent(left, 1), percent(right, 1)]
  return `${second.label}: ${ours} against ${theirs} ${ranText(prompts, leftOut)}`
}

/** `on the 9 prompts that both ran`; these prompts leave out the only one with a single run. */
const ranText = (prompts: number, leftOut: string | null) =>
  `on the ${counted(prompts, 'prompt')} that both ran${leftOut === null ? '' : ' more than once'}`

/** `alpha has not run 10 of the 20 prompts. Each pair is compared on the prompts that both ran.` */
function coverageNote(rows: readonly LeaderboardRow[]) {
  const partial = rows.filter(({ missingPrompts }) => missingPrompts.length > 0)
  const [only] = partial
  if (!only) return null
  const lack =
    partial.length === 1
      ? `${only.label} has not run ${count(only.missingPrompts.length)} of the ${counted(only.prompts.size + only.missingPrompts.length, 'prompt')}.`
      : `${counted(partial.length, 'group')} have not run all prompts.`
  return `${lack} Each pair of groups is compared on the prompts that both ran.`
}

/** Two intervals can overlap although the difference of each prompt is clear. */
function whiskerNote(best: LeaderboardRow, second: LeaderboardRow) {
  const [left, right] = [best.solved.interval, second.solved.interval]
  if (!left || !right || left.low > right.high) return null
  return `The intervals of ${best.label} and ${second.label} overlap, but the lead is clear: they ran the same prompts, so they are compared prompt by prompt.`
}

function tie(tied: readonly LeaderboardRow[], where: Where): Answer {
  const [first, second] = tied
  const names = tied.length > 4 ? `the first ${tied.length} groups` : listOf(tied.map(({ label }) => label))
  if (first?.solved.share === 0) return onlyWords('No group solves a run.')
  const verdict = `No clear winner: ${names} cannot be told apart${cheapestText(tied, where.costs)}.`
  if (!first || !second) return onlyWords(verdict)
  const pair = where.relation.between(first.group, second.group)
  const lead = { label: 'Lead', value: pointsOf(pair), detail: tieText(pair, first, second) }
  const chance = {
    label: 'More than chance?',
    value: 'Can’t tell',
    detail: `${isTooFew(pair) ? `${tooFewText(first, second, where)}, ` : ''}${rangeText(pair, where)}`,
  }
  return { verdict, facts: [lead, chance, ...costFacts(tied, where.costs)], note: coverageNote(tied) }
}

function tieText({ prompts, left, right, leftOut }: RelatedPair, first: LeaderboardRow, second: LeaderboardRow) {
  if (prompts === first.prompts.size && prompts === second.prompts.size)
    return `${first.label} ${shareOf(first)}, ${second.label} ${shareOf(second)}`
  if (prompts === 0) return `${first.label} and ${second.label} have no prompt in common`
  const [ours, theirs] = [percent(left, 1), percent(right, 1)]
  return `${first.label} ${ours}, ${second.label} ${theirs} ${ranText(prompts, leftOut)}`
}

/** A difference without an interval, because no run differs from another of its group. */
const isTooFew = ({ difference, interval }: RelatedPair) => interval === null && (difference ?? 0) !== 0

/** How many runs it would take, where the results so far say anything about that. */
function tooFewText(first: LeaderboardRow, second: LeaderboardRow, { scope, relation }: Where) {
  const times = relation.groups > 2 ? 2 : 1
  const repeats = scope === 'these prompts' ? sameResultRepeats(first.prompts, second.prompts, times) : null
  return repeats === null
    ? 'too few runs to tell, and how many it would take is not known'
    : `too few runs to tell; ${counted(repeats, 'run')} of each prompt would do if the results stay the same`
}

const pointsOf = ({ difference }: RelatedPair) => (difference === null ? 'Unknown' : `${pointsText(difference)} points`)

/** `95 % CI +2.5 to +17.5 points, on prompts like these, corrected p 0.030` */
function rangeText({ interval, bound, adjustedP, prompts }: RelatedPair, where: Where) {
  return [
    interval && `95 % CI ${pointsText(interval.low)} to ${pointsText(interval.high)} points`,
    bound !== null && `at most ${pointsText(bound).replace('+', '±')} points with 95 % confidence`,
    whereText({ ...where, prompts: prompts || where.prompts }),
    adjustedP !== null && pWords(adjustedP, where.relation.groups),
  ]
    .filter((part) => typeof part === 'string')
    .join(', ')
}

const listOf = (names: readonly string[]) => new Intl.ListFormat('en', { type: 'conjunction' }).format(names)

function intervalFact({ solved: { interval } }: LeaderboardRow, where: Where): Fact {
  const value = interval ? `${percent(interval.low, 1)} to ${percent(interval.high, 1)}` : 'Unknown'
  return { label: '95 % CI', value, detail: whereText(where) }
}
