import { expect, test } from 'vitest'

import type { LeaderboardSummary } from '#contract/leaderboard.ts'
import { solvedTrends } from './solved-trends.ts'

const summary = (): LeaderboardSummary => ({
  groupBy: 'agent',
  axes: [],
  version: 'all',
  excludedTestAwareRuns: 0,
  leftOutRuns: {},
  mixedImages: [],
  prompts: [],
  groups: [],
})

test('the trends of one answer are computed once for every part of the page that shows them', () => {
  const [one, other] = [summary(), summary()]
  expect(solvedTrends(one)).toBe(solvedTrends(one))
  expect(solvedTrends(other)).not.toBe(solvedTrends(one))
})
