import { expect, test } from 'vitest'

import type { LeaderboardSummary } from '#contract/leaderboard.ts'
import { boardOf } from '#statistics/leaderboard/test-boards.ts'
import { openingScore } from './opening-score.ts'

const nothing = { n: 0, missing: 3, mean: null, sd: null, min: null, q1: null, median: null, q3: null, max: null }

/** A board of one group, with so many counted runs on its only prompt. */
const board = (counted: number, scores: string[]): LeaderboardSummary => ({
  ...boardOf({
    group: 'a',
    values: ['a'],
    runs: 3,
    canceled: 0,
    errored: 0,
    timedOut: 0,
    costUsd: nothing,
    paid: { costUsd: 0, runs: 0, solved: 0 },
    wallSeconds: { n: 0, missing: 3, p50: null, p90: null },
    totalTokens: nothing,
    toolFailures: nothing,
    prompts: {
      prompt: [0],
      runs: [counted],
      solved: [0],
      scored: [0],
      passRate: [null],
      passRateVariance: [null],
    },
  }),
  prompts: ['one'],
  scores,
})

test('a leaderboard of runs without a verdict opens with their first score', () => {
  expect(openingScore(board(0, ['pass_rate_1', 'pass_rate_2']))).toBe('score:pass_rate_1')
})

test('a leaderboard with solved rates opens with them, and one without scores has nothing else', () => {
  expect(openingScore(board(1, ['pass_rate_1']))).toBeNull()
  expect(openingScore(board(0, []))).toBeNull()
})
