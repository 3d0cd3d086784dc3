import type { Query } from '@tanstack/react-query'
import { expect, test } from 'vitest'

import { followResults } from './live-results.ts'

const arrivedAt = (dataUpdatedAt: number) => ({ state: { dataUpdatedAt } }) as Pick<Query, 'state'>

test('results reload while runs are unfinished, and until they arrived after the last run ended', () => {
  const live = followResults(true, Infinity)
  expect(live.refetchInterval(arrivedAt(5000))).toBe(10_000)
  expect(live.isComplete({ pendingRuns: 0 }, 5000)).toBe(false)

  const ended = followResults(false, 6000)
  expect(ended.refetchInterval(arrivedAt(5000))).toBe(1000)
  expect(ended.isComplete({ pendingRuns: 0 }, 5000)).toBe(false)
  expect(ended.refetchInterval(arrivedAt(6000))).toBe(false)
  expect(ended.isComplete({ pendingRuns: 0 }, 6000)).toBe(true)
})

test('results without every ended run are not complete', () => {
  expect(followResults(false, 0).isComplete({ pendingRuns: 2 }, 1000)).toBe(false)
})
