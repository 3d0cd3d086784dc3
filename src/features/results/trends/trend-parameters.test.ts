import { expect, test } from 'vitest'

import type { Axes } from '#contract/variants.ts'
import { fillDates, readTrendState, trendGrouping, unitOfSpan } from './trend-parameters.ts'

const axes: Axes = { agents: ['a', 'b'], agentModes: [], models: [], products: [], environments: [], prompts: [] }

test('trends open over versions with the solved rate, and unknown choices are ignored', () => {
  const read = (query: string) => readTrendState(new URLSearchParams(query))
  expect(read('')).toEqual({ over: 'version', metric: 'solved' })
  expect(read('over=time&metric=costUsd')).toEqual({ over: 'time', metric: 'costUsd' })
  expect(read('over=space&metric=totalTokens')).toEqual({ over: 'version', metric: 'solved' })
})

test('a trend is grouped by the axes of the page, or those that vary, and then by its own unit once', () => {
  expect(trendGrouping('variant', axes, 'version')).toBe('agent~version')
  expect(trendGrouping('model~agent', axes, 'day')).toBe('model~agent~day')
  expect(trendGrouping('prompt~version', axes, 'version')).toBe('prompt~version')
  expect(trendGrouping('week', axes, 'day')).toBe('agent~day')
})

test('runs of two months are shown by day, those of a longer time by week, and pauses keep their width', () => {
  expect(unitOfSpan(['2026-11-01', '2026-09-10'])).toBe('day')
  expect(unitOfSpan(['2026-11-01', '2026-08-01'])).toBe('week')
  expect(fillDates(['2026-11-02', '2026-10-30'], 'day')).toEqual([
    '2026-10-30',
    '2026-10-31',
    '2026-11-01',
    '2026-11-02',
  ])
  expect(fillDates(['2026-11-02', '2026-11-23'], 'week')).toEqual([
    '2026-11-02',
    '2026-11-09',
    '2026-11-16',
    '2026-11-23',
  ])
  expect(fillDates([], 'day')).toEqual([])
})
