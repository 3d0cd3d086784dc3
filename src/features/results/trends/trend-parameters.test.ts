import { expect, test } from 'vitest'

import type { Axes } from '#contract/variants.ts'
import type { Flip } from '#statistics/leaderboard/flips.ts'
import { readResultsState } from '#src/features/results/view/results-parameters.ts'
import { flipQuery, readTrendState, trendGrouping } from './trend-parameters.ts'

const axes: Axes = { agents: ['a', 'b'], agentModes: [], models: [], products: [], environments: [], prompts: [] }
const experiment = { axes, variants: [] }

test('trends open over versions with the solved rate, and unknown choices are ignored', () => {
  const read = (query: string) => readTrendState(new URLSearchParams(query))
  expect(read('')).toEqual({ over: 'version', metric: 'solved' })
  expect(read('over=time&metric=costUsd')).toEqual({ over: 'time', metric: 'costUsd' })
  expect(readTrendState(new URLSearchParams('over=version'), 'time').over).toBe('version')
  expect(readTrendState(new URLSearchParams(), 'time').over).toBe('time')
  expect(read('over=space&metric=totalTokens')).toEqual({ over: 'version', metric: 'solved' })
})

test('a trend is grouped by the axes of the page, or those that vary, and then by its own unit once', () => {
  expect(trendGrouping('variant', experiment, 'version')).toBe('agent~version')
  expect(trendGrouping('model~agent', experiment, 'day')).toBe('model~agent~day')
  expect(trendGrouping('prompt~version', experiment, 'version')).toBe('prompt~version')
  expect(trendGrouping('week', experiment, 'day')).toBe('agent~day')
})

test('a flipped test leads to the failing runs of its own group, under every filter of the page', () => {
  const flip: Flip = {
    group: 'a~',
    test: 'parses',
    kind: 'regression',
    version: 'v3',
    since: 'v2',
    now: { failed: 2, counted: 2 },
    before: { failed: 0, counted: 2 },
    adjustedP: 1,
    isShown: false,
  }
  const page = new URLSearchParams('view=trends&group_by=agent&agents=a&agents=b&full_pass_only=true&group=b&open=none')
  const shown = (one: Flip) => readResultsState(flipQuery(page, one, 'agent~model~version'))
  expect(shown(flip)).toMatchObject({
    view: 'heatmap',
    cell: { test: 'parses', group: 'a~~v3' },
    parameters: { groupBy: 'agent~model~version', version: 'all', agents: ['a', 'b'], fullPassOnly: true },
  })
  expect(shown({ ...flip, kind: 'fix' }).cell).toEqual({ test: 'parses', group: 'a~~v2' })
  expect(flipQuery(page, flip, 'agent~version').has('open')).toBe(false)
})
