import { expect, test } from 'vitest'

import type { Axes } from '#contract/variants.ts'
import { readTrendState, trendGrouping } from './trend-parameters.ts'

const axes: Axes = { agents: ['a', 'b'], agentModes: [], models: [], products: [], environments: [], prompts: [] }

test('trends open over versions with the solved rate, and unknown choices are ignored', () => {
  const read = (query: string) => readTrendState(new URLSearchParams(query))
  expect(read('')).toEqual({ over: 'version', metric: 'solved' })
  expect(read('over=time&metric=costUsd')).toEqual({ over: 'time', metric: 'costUsd' })
  expect(readTrendState(new URLSearchParams('over=version'), 'time').over).toBe('version')
  expect(readTrendState(new URLSearchParams(), 'time').over).toBe('time')
  expect(read('over=space&metric=totalTokens')).toEqual({ over: 'version', metric: 'solved' })
})

test('a trend is grouped by the axes of the page, or those that vary, and then by its own unit once', () => {
  expect(trendGrouping('variant', axes, 'version')).toBe('agent~version')
  expect(trendGrouping('model~agent', axes, 'day')).toBe('model~agent~day')
  expect(trendGrouping('prompt~version', axes, 'version')).toBe('prompt~version')
  expect(trendGrouping('week', axes, 'day')).toBe('agent~day')
})
