import { expect, test } from 'vitest'

import { pollInterval, pollWhileUnfinished } from './polling.ts'

const minute = 60_000

test('polling slows down as the run request gets older', () => {
  expect([0, minute, 5 * minute, 30 * minute, 600 * minute].map((age) => pollInterval(age, 0, 0.5))).toEqual([
    1000, 2000, 5000, 15_000, 30_000,
  ])
})

test('polling backs off while requests fail, up to a minute', () => {
  expect([0, 1, 3, 20].map((failures) => pollInterval(0, failures, 0.5))).toEqual([1000, 2000, 8000, minute])
})

test('jitter varies the interval by at most 15 percent between browsers', () => {
  expect([0, 1].map((jitter) => pollInterval(0, 0, jitter))).toEqual([850, 1150])
})

const poll = pollWhileUnfinished((data: { since: string | null }) => data.since)

type Query = Parameters<typeof poll>[0]

const query = (data: { since: string | null } | undefined) =>
  ({ state: { data, dataUpdatedAt: Date.parse('2026-11-20T12:00:10Z'), fetchFailureCount: 0 } }) as Query

test('polling stops for terminal states and before the first response', () => {
  expect([poll(query({ since: null })), poll(query(undefined))]).toEqual([false, false])
})

test('the interval stays the same between two responses', () => {
  const running = query({ since: '2026-11-20T12:00:00Z' })
  expect(poll(running)).toBe(poll(running))
  expect(poll(running)).toBeGreaterThan(0)
})
