import { expect, test } from 'vitest'

import type { Trend } from '#statistics/leaderboard/trends.ts'
import { nameOfSteps } from './trend-lines.ts'

const trendOver = (...dates: string[]) => [{ group: 'a', label: 'a', steps: dates.map((at) => ({ at })) }] as Trend[]

test('dates of a trend are written as everywhere, with the year where there are several, and versions as they are', () => {
  expect(nameOfSteps(trendOver('2026-11-12', '2026-11-20'), 'day')('2026-11-12')).toBe('12 Nov')
  expect(nameOfSteps(trendOver('2025-12-29', '2026-01-05'), 'week')('2025-12-29')).toBe('29 Dec 2025')
  expect(nameOfSteps(trendOver('v1', 'v2'), 'version')('v2')).toBe('v2')
})
