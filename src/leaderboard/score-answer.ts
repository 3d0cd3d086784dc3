import { scoreText, signedScore } from '#src/format/scores.ts'
import { counted } from '#src/format/numbers.ts'
import type { LeaderboardRow } from '#statistics/leaderboard/leaderboard-rows.ts'
import { scoreMeanOf } from '#statistics/leaderboard/rate-interval.ts'
import type { Scope } from '#statistics/scope.ts'
import { significance } from '#statistics/verdict.ts'
import { differencesTo, scoreDifference } from './baseline.ts'
import type { Answer } from './decide.ts'

/**
 * Which group has the highest mean score, and from how many of the others it differs by more than chance. p-values are
 * corrected over these comparisons.
 */
export function answerByScore(rows: readonly LeaderboardRow[], scope: Scope, name: string): Answer {
  const known = rows
    .map((row) => ({ row, ...scoreMeanOf([...row.measured.values()], scope) }))
    .flatMap(({ row, mean, runs }) => (mean === null ? [] : [{ row, mean, runs }]))
    .toSorted((a, b) => b.mean - a.mean)
  const [best, second] = known
  if (!best) return onlyWords(`No run has a known ${name}.`)
  const mean = `a mean ${name} of ${scoreText(best.mean)} over ${counted(best.runs, 'run')}`
  if (!second) return onlyWords(`${best.row.label} has ${mean}.`)
  if (best.mean === second.mean) return onlyWords(`The top groups are tied at ${mean}.`)
  const differences = differencesTo(
    best.row,
    known.map(({ row }) => row),
    scope,
    scoreDifference,
  )
  const lower = [...differences.values()].filter(
    ({ difference, correctedP }) =>
      difference !== null && difference < 0 && correctedP !== null && correctedP < significance,
  ).length
  const others = known.length - 1
  const extent =
    lower === 0
      ? 'which may be chance'
      : lower === others
        ? `significantly more than ${others === 1 ? second.row.label : `each of the other ${others} groups`}`
        : `significantly more than ${lower} of the other ${others} groups`
  const toSecond = differences.get(second.row.group)
  return {
    verdict: `${best.row.label} has the highest mean ${name}, ${scoreText(best.mean)}, ${extent}.`,
    facts: [
      {
        label: 'Lead',
        value: signedScore(0 - (toSecond?.difference ?? second.mean - best.mean)),
        detail: `over ${second.row.label}`,
      },
    ],
    note: null,
  }
}

const onlyWords = (verdict: string): Answer => ({ verdict, facts: [], note: null })
