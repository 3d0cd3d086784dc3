import { scoreText, signedScore } from '#src/format/scores.ts'
import { counted } from '#src/format/numbers.ts'
import type { Board } from '#statistics/leaderboard/leaderboard-rows.ts'
import { significance } from '#statistics/verdict.ts'
import type { Answer } from './decide.ts'

/**
 * Which group of a board that the score ranks is first, and from how many of the others it differs by more
 * than chance among all groups.
 */
export function answerByScore({ rows, relation }: Board, name: string): Answer {
  const known = rows.flatMap((row) => {
    const { mean, runs } = row.measuredMean
    return mean === null ? [] : [{ row, mean, runs }]
  })
  const [best, second] = known
  if (!best) return onlyWords(`No run has a known ${name}.`)
  const mean = `a mean ${name} of ${scoreText(best.mean)} over ${counted(best.runs, 'run')}`
  if (!second) return onlyWords(`${best.row.label} has ${mean}.`)
  if (best.mean === second.mean) return onlyWords(`The top groups are tied at ${mean}.`)
  const pairs = known.slice(1).map(({ row }) => relation.between(best.row.group, row.group))
  const lower = pairs.filter(
    ({ difference, adjustedP }) => (difference ?? 0) > 0 && adjustedP !== null && adjustedP < significance,
  ).length
  const others = known.length - 1
  const extent =
    lower === 0
      ? 'which may be chance'
      : lower === others
        ? `significantly more than ${others === 1 ? second.row.label : `each of the other ${others} groups`}`
        : `significantly more than ${lower} of the other ${others} groups`
  const [toSecond] = pairs
  return {
    verdict: `${best.row.label} has the highest mean ${name}, ${scoreText(best.mean)}, ${extent}.`,
    facts: [
      {
        label: 'Lead',
        value: signedScore(toSecond?.difference ?? best.mean - second.mean),
        detail: `over ${second.row.label}`,
      },
    ],
    note: null,
  }
}

const onlyWords = (verdict: string): Answer => ({ verdict, facts: [], note: null })
