import { expect, test } from 'vitest'

import type { LeaderboardSummary } from '#contract/leaderboard.ts'
import type { Scope } from '#statistics/scope.ts'
import { boardOf } from '#statistics/leaderboard/test-boards.ts'
import { toBoard } from '#statistics/leaderboard/leaderboard-rows.ts'
import { quoteLeaderboard } from './quote-leaderboard.ts'
import { leaderboardColumns } from '#src/shared/leaderboard/leaderboard-columns.tsx'
import { answerByScore } from '#src/shared/leaderboard/score-answer.ts'

const nothing = { n: 0, missing: 3, mean: null, sd: null, min: null, q1: null, median: null, q3: null, max: null }

/** A group with three runs on each prompt, with these means of its score; null where no run has one. */
const group = (name: string, means: readonly (number | null)[]): LeaderboardSummary['groups'][number] => ({
  group: name,
  values: [name],
  runs: 3 * means.length,
  canceled: 0,
  errored: 0,
  timedOut: 0,
  leftOut: 0,
  costUsd: nothing,
  paid: { costUsd: 0, runs: 0, solved: 0 },
  wallSeconds: { n: 0, missing: 3, p50: null, p90: null },
  totalTokens: nothing,
  toolFailures: nothing,
  prompts: {
    prompt: means.map((_, place) => place),
    runs: means.map(() => 3),
    solved: means.map(() => 0),
    scored: means.map(() => 3),
    passRate: means.map(() => 0),
    passRateVariance: means.map(() => 0),
    measured: {
      runs: means.map((mean) => (mean === null ? 0 : 3)),
      mean: [...means],
      variance: means.map((mean) => (mean === null ? null : 0.01)),
    },
  },
})

const scoredBoard = (groups: LeaderboardSummary['groups'], scope: Scope = 'prompts like these') =>
  toBoard({ ...boardOf(...groups), prompts: Array.from({ length: 12 }, (_, place) => `p${place}`) }, scope, 'measured')

const high = group('careful', [0.9, 0.8, 0.95, 0.85, 0.9, 0.8])
const low = group('quick', [0.5, 0.45, 0.6, 0.4, 0.55, 0.5])
const alike = group('other', [0.85, 0.9, 0.9, 0.8, 0.95, 0.7])

test('the highest mean score is named with the groups that it beats by more than chance', () => {
  const answer = (groups: LeaderboardSummary['groups']) => answerByScore(scoredBoard(groups), 'quality', true).verdict
  expect(answer([high, low])).toBe('careful has the highest mean quality, 0.867, significantly more than quick.')
  expect(answer([high, alike])).toBe('careful has the highest mean quality, 0.867, which may be chance.')
  expect(answer([high, low, alike])).toBe(
    'careful has the highest mean quality, 0.867, significantly more than 1 of the other 2 groups.',
  )
  expect(answer([high])).toBe('careful has a mean quality of 0.867 over 18 runs.')
  expect(answer([group('none', [null])])).toBe('No run has a known quality.')
  expect(answer([high, { ...high, group: 'twin', values: ['twin'] }])).toMatch(/^The top groups are tied/)
})

/** The same group with so many runs of each prompt, which are all alike. */
const constant = (name: string, mean: number, runs: number): LeaderboardSummary['groups'][number] => {
  const plain = group(name, [mean, mean, mean, mean, mean])
  const variance = plain.prompts.prompt.map(() => (runs > 1 ? 0 : null))
  const measured = { runs: plain.prompts.prompt.map(() => runs), mean: plain.prompts.prompt.map(() => mean), variance }
  return { ...plain, prompts: { ...plain.prompts, measured } }
}

test('constant scores are called different where the runs can tell, and otherwise the answer says what it takes', () => {
  const answer = (runs: number, scope: Scope) =>
    answerByScore(scoredBoard([constant('a', 1, runs), constant('b', 0.75, runs)], scope), 'quality', true).verdict
  expect(answer(3, 'these prompts')).toBe('a has the highest mean quality, 1.000, significantly more than b.')
  expect(answer(1, 'these prompts')).toBe(
    'Not enough data to say which is best by quality. a has the highest mean quality, 1.000, but every group needs at least 2 runs of each prompt to rule out chance.',
  )
  expect(answer(3, 'prompts like these')).toBe(
    'Not enough data to say which is best by quality. a has the highest mean quality, 1.000, but every group needs at least 6 prompts that the others have too.',
  )
})

test('a group with a high mean on other prompts is not called the highest, nor is one that only leads on shared ones', () => {
  const none = [null, null, null, null, null, null]
  const easy = group('easy', [0.9, 0.9, 0.85, 0.95, 0.9, 0.9, ...none])
  const whole = group('whole', [0.99, 0.98, 0.95, 0.99, 0.97, 1, 0.2, 0.1, 0.3, 0.2, 0.1, 0.2])
  const { verdict, facts } = answerByScore(scoredBoard([easy, whole]), 'quality', true)
  expect(verdict).toBe(
    'whole is ahead by quality on the prompts that the groups share, with a mean of 0.582, significantly more than easy.',
  )
  expect(facts).toEqual([
    { label: 'Lead', value: '+0.080', detail: 'over easy: 0.980 against 0.900 on the 6 prompts that both ran' },
  ])
})

test('a score ranks the groups, whatever they solve, and those without a value come last', () => {
  const solvesAll = { ...low, prompts: { ...low.prompts, solved: low.prompts.runs } }
  const board = scoredBoard([group('none', [null, null, null, null, null, null]), solvesAll, high])
  expect(board.rows.map(({ group: name, rank }) => [name, rank?.rank ?? null])).toEqual([
    ['careful', 1],
    ['quick', 2],
    ['none', null],
  ])
  const columns = leaderboardColumns(board, { baseline: null, score: 'quality' })
  expect(columns.slice(0, 4).map(({ id }) => id)).toEqual(['group', 'rank', 'score', 'solved'])
  expect(quoteLeaderboard(board.rows, answerByScore(board, 'quality', true), 'quality').split('\n')).toEqual([
    'careful has the highest mean quality, 0.867, significantly more than quick. Lead: +0.367 (over quick).',
    '1. careful: mean quality 0.867 (95 % CI 0.803 to 0.930) over 18 runs',
    '2. quick: mean quality 0.500 (95 % CI 0.426 to 0.574) over 18 runs',
    'none: no run with a known quality',
  ])
})

test('a leaderboard by score has its mean and interval as a column, also for CSV, and its difference to a baseline', () => {
  const board = scoredBoard([high, low, group('none', [null, null])])
  const { rows } = board
  const baseline = rows.find((row) => row.group === 'quick') ?? null
  const columns = leaderboardColumns(board, { baseline, score: 'quality' })
  const column = columns.find(({ id }) => id === 'score')
  expect(column?.header).toBe('Mean quality')
  const values = rows.map((row) => [row.group, column?.value?.(row)])
  expect(Object.fromEntries(values)).toMatchObject({ none: null })
  expect(Object.fromEntries(values)['careful']).toBeCloseTo(0.8667, 3)
  const careful = rows.find((row) => row.group === 'careful')
  if (!careful) throw new Error('The row is missing')
  expect(column?.csv?.map(({ header, value }) => [header, value(careful)])).toEqual([
    ['Mean quality, 95 % CI low', expect.closeTo(0.80312, 5)],
    ['Mean quality, 95 % CI high', expect.closeTo(0.930213, 5)],
    ['Mean quality, standard error', expect.closeTo(careful.measuredMean.standardError ?? NaN, 12)],
    ['Runs with quality', 18],
  ])
  expect(columns.find(({ id }) => id === 'scoreDifference')?.value?.(careful)).toBeCloseTo(0.3667, 3)
  expect(leaderboardColumns(board, { baseline }).some(({ id }) => id === 'score')).toBe(false)
})
