import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { createResultCache } from './result-cache.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const length = (result: string) => result.length

test('a result is released when it is no longer fresh, even without a request', () => {
  const fresh = createResultCache(1000, 100, length)
  fresh.keep('a', 'x'.repeat(60))
  vi.advanceTimersByTime(999)
  expect([fresh.find('a')?.length, fresh.bytesKept()]).toEqual([60, 60])
  vi.advanceTimersByTime(1)
  expect([fresh.find('a'), fresh.bytesKept(), vi.getTimerCount()]).toEqual([undefined, 0, 0])
})

test('results are cached up to a total size, and the oldest are evicted first', () => {
  const fresh = createResultCache(1000, 100, length)
  for (const key of ['a', 'b', 'c']) fresh.keep(key, key.repeat(40))
  expect(['a', 'b', 'c'].map((key) => fresh.find(key)?.length)).toEqual([undefined, 40, 40])
  fresh.keep('c', 'c'.repeat(60))
  expect([fresh.find('b')?.length, fresh.bytesKept()]).toEqual([40, 100])
})

test('a result larger than the whole cache is not cached and evicts nothing', () => {
  const fresh = createResultCache(1000, 100, length)
  fresh.keep('a', 'small')
  fresh.keep('b', 'x'.repeat(101))
  expect([fresh.find('a'), fresh.find('b')]).toEqual(['small', undefined])
})

test('at most 32 results are cached', () => {
  const fresh = createResultCache(1000, 100, length)
  for (let at = 0; at < 40; at += 1) fresh.keep(`${at}`, 'x')
  expect([fresh.bytesKept(), fresh.find('7'), fresh.find('8'), vi.getTimerCount()]).toEqual([32, undefined, 'x', 32])
})
