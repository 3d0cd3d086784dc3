import { beforeEach, afterEach, expect, test, vi } from 'vitest'

import { coalesce } from './coalesce.ts'
import { createResultCache } from './result-cache.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const remember = (freshMs: number) => createResultCache<number>(freshMs, 1000, () => 1)
const refused = new Error('too many')
const counted = () => {
  let count = 0
  return async () => (count += 1)
}

test('callers that ask during the work, or shortly after, share its result', async () => {
  const once = coalesce(remember(1000), () => refused)
  const work = counted()
  expect(await Promise.all([once('a', work), once('a', work), once('a', work)])).toEqual([1, 1, 1])
  expect(await once('a', work)).toBe(1)
  expect(await once('b', work)).toBe(2)
  vi.advanceTimersByTime(1000)
  expect(await once('a', work)).toBe(3)
})

test('a failure reaches the callers that waited for it, and no later caller', async () => {
  const once = coalesce(remember(1000), () => refused)
  const fail = async () => {
    throw new Error('no')
  }
  const answers = await Promise.allSettled([once('a', fail), once('a', fail)])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await once('a', async () => 7)).toBe(7)
})

test('work over the concurrency limit is refused, and accepted again after some is done', async () => {
  const once = coalesce(remember(0), () => refused)
  const finish: (() => void)[] = []
  const wait = () => new Promise<number>((resolve) => finish.push(() => resolve(1)))
  const running = Array.from({ length: 64 }, (_, key) => once(`${key}`, wait))
  await expect(once('more', wait)).rejects.toBe(refused)
  for (const each of finish) each()
  await Promise.all(running)
  expect(await once('more', async () => 2)).toBe(2)
})
