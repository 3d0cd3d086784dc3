import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { createQueryQueue } from './query-queue.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const own = { maxWaiting: 3, maxWaitSeconds: 25 }
const published = { maxWaiting: 2, maxWaitSeconds: 30, dueSeconds: 10 }

/** A lane, and the log of work that started, ended or was refused in it, in order. */
function openQueue(atOnce: number) {
  const enter = createQueryQueue({ atOnce, own, published })
  const log: string[] = []
  const ask = (origin: 'own' | 'published', name: string, seconds: number) =>
    void enter(origin, async () => {
      log.push(name)
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    }).catch((error: { code: string }) => log.push(`${name}: ${error.code}`))
  const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)
  return { ask, log, pass }
}

test('waiting user queries run before publications that came earlier', async () => {
  const { ask, log, pass } = openQueue(1)
  ask('published', 'p1', 5)
  ask('published', 'p2', 5)
  ask('own', 'u1', 2)
  ask('own', 'u2', 2)
  await pass(5)
  expect(log).toEqual(['p1', 'u1'])
  await pass(4)
  expect(log).toEqual(['p1', 'u1', 'u2', 'p2'])
})

test('a publication that has waited ten seconds runs before user queries, each of which yields once', async () => {
  const { ask, log, pass } = openQueue(1)
  ask('own', 'u1', 12)
  ask('published', 'p1', 5)
  ask('published', 'p2', 5)
  ask('own', 'u2', 4)
  ask('own', 'u3', 1)
  await pass(12)
  expect(log).toEqual(['u1', 'p1'])
  await pass(5)
  expect(log).toEqual(['u1', 'p1', 'u2'])
  ask('own', 'u4', 1)
  await pass(4)
  expect(log).toEqual(['u1', 'p1', 'u2', 'u3'])
  await pass(1)
  expect(log).toEqual(['u1', 'p1', 'u2', 'u3', 'p2'])
  await pass(5)
  expect(log.at(-1)).toBe('u4')
})

test('a user query that arrives while a publication runs counts as having yielded to it', async () => {
  const { ask, log, pass } = openQueue(1)
  for (const name of ['p1', 'p2']) ask('published', name, 12)
  ask('own', 'u1', 1)
  await pass(12)
  expect(log).toEqual(['p1', 'u1'])
})

test('a user query is not refused for the time that one query and one publication take', async () => {
  const { ask, log, pass } = openQueue(1)
  ask('own', 'u1', 19.9)
  ask('published', 'p1', 5)
  ask('own', 'u2', 1)
  await pass(24.9)
  expect(log).toEqual(['u1', 'p1', 'u2'])
})

test('publications use one of several slots', async () => {
  const { ask, log, pass } = openQueue(2)
  ask('published', 'p1', 5)
  ask('published', 'p2', 5)
  await pass(1)
  expect(log).toEqual(['p1'])
  ask('own', 'u1', 5)
  await pass(1)
  expect(log).toEqual(['p1', 'u1'])
  await pass(3)
  expect(log).toEqual(['p1', 'u1', 'p2'])
})

test('each kind has a limited number of waiting queries and a limited time, and a crowd of one kind refuses none of the other', async () => {
  const { ask, log, pass } = openQueue(1)
  ask('own', 'u1', 60)
  for (const name of ['p1', 'p2', 'p3']) ask('published', name, 1)
  for (const name of ['u2', 'u3', 'u4', 'u5']) ask('own', name, 1)
  await pass(0)
  expect(log).toEqual(['u1', 'p3: resource_exhausted', 'u5: resource_exhausted'])
  await pass(25)
  expect(log.slice(3)).toEqual(['u2', 'u3', 'u4'].map((name) => `${name}: resource_exhausted`))
  await pass(5)
  expect(log.slice(6)).toEqual(['p1', 'p2'].map((name) => `${name}: resource_exhausted`))
  ask('own', 'u6', 1)
  await pass(31)
  expect(log.slice(8)).toEqual(['u6: resource_exhausted'])
  ask('own', 'u7', 1)
  await pass(1)
  expect(log.at(-1)).toBe('u7')
})

test('failed work frees its slot for the next', async () => {
  const enter = createQueryQueue({ atOnce: 1, own, published })
  await expect(enter('published', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await enter('own', async () => 1)).toBe(1)
})
