import { scoreMean, signedScore } from '#src/format/scores.ts'
import { counted } from '#src/format/numbers.ts'
import type { Board, LeaderboardRow } from '#statistics/leaderboard/leaderboard-rows.ts'
import { maxRanked, type RelatedPair } from '#statistics/leaderboard/relate-rows.ts'
import { significance } from '#statistics/significance.ts'
import { type Answer, onlyWords } from './answer.ts'
import { whatIsMissing } from './solved-answer.ts'
import { answerSoFar } from './so-far.ts'

type Known = { row: LeaderboardRow; mean: number }

/**
 * Which group of a board that the score ranks is first, and from how many of the others it differs by more
 * than chance among all groups. The groups are compared on the prompts that they share.
 */
export function answerByScore(board: Board, name: string, isWhole: boolean): Answer {
  const answer = answerWhole(board, name)
  return isWhole && !board.unfinished ? answer : answerSoFar(answer, board.unfinished)
}

function answerWhole({ rows, relation, scope }: Board, name: string): Answer {
  const known = rows.flatMap((row): Known[] => {
    const { mean } = row.measuredMean
    return mean === null ? [] : [{ row, mean }]
  })
  const [first, second] = known
  if (!first) return onlyWords(`No run has a known ${name}.`)
  const overRuns = `a mean ${name} of ${scoreMean(first.mean)} over ${counted(first.row.measuredMean.runs, 'run')}`
  if (!second) return onlyWords(`${first.row.label} has ${overRuns}.`)
  const pairs = known.slice(1).map(({ row }) => relation.between(first.row.group, row.group))
  const [toSecond] = pairs
  if ((toSecond?.difference ?? first.mean - second.mean) === 0)
    return onlyWords(`The top groups are tied at ${overRuns}.`)
  if (relation.isTooMany)
    return onlyWords(
      `${first.row.label} has the highest mean ${name}, ${scoreMean(first.mean)}. ${counted(known.length, 'group')} are too many to tell apart: filter to ${maxRanked} or fewer.`,
    )
  const isHighest = known.every(({ mean }) => mean <= first.mean)
  const lead = isHighest
    ? `has the highest mean ${name}, ${scoreMean(first.mean)}`
    : `is ahead by ${name} on the prompts that the groups share, with a mean of ${scoreMean(first.mean)}`
  const missing = whatIsMissing(
    known.map(({ row: { group, measured } }) => ({ group, prompts: measured })),
    { scope, relation },
  )
  if (missing)
    return onlyWords(`Not enough data to say which is best by ${name}. ${first.row.label} ${lead}, but ${missing}.`)
  const verdict = `${first.row.label} ${lead}, ${extentOf(pairs, second.row)}.`
  const value = toSecond?.difference == null ? 'Unknown' : signedScore(toSecond.difference)
  return { verdict, facts: [{ label: 'Lead', value, detail: leadDetail(toSecond, first.row, second.row) }], note: null }
}

function extentOf(pairs: readonly RelatedPair[], second: LeaderboardRow) {
  const lower = pairs.filter(
    ({ difference, adjustedP }) => (difference ?? 0) > 0 && adjustedP !== null && adjustedP < significance,
  ).length
  if (lower === 0) return 'which may be chance'
  if (lower < pairs.length) return `significantly more than ${lower} of the other ${pairs.length} groups`
  return `significantly more than ${pairs.length === 1 ? second.label : `each of the other ${pairs.length} groups`}`
}

/** Where the two ran different prompts, their means on those that both ran. */
function leadDetail(pair: RelatedPair | undefined, first: LeaderboardRow, second: LeaderboardRow) {
  if (!pair || (pair.prompts === first.measured.size && pair.prompts === second.measured.size))
    return `over ${second.label}`
  if (pair.left === null || pair.right === null) return `${first.label} and ${second.label} have no prompt in common`
  return `over ${second.label}: ${scoreMean(pair.left)} against ${scoreMean(pair.right)} on the ${counted(pair.prompts, 'prompt')} that both ran`
}
