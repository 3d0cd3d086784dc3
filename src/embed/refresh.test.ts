import { expect, test } from 'vitest'

import type { PublishedResponse } from './fetch-published.ts'
import { refreshDelay } from './refresh.ts'

const failed = (retryAfterSeconds: number | null = null) => ({ kind: 'failed', retryAfterSeconds }) as const
const shown: PublishedResponse = {
  kind: 'shown',
  insight: {
    heading: '',
    organization: { name: '' },
    about: { kind: 'none' },
    columns: [],
    rows: [],
    rowCount: 0,
    truncated: false,
    publishedAt: '2026-11-20T00:00:00Z',
    asOf: '2026-11-20T00:00:00Z',
  },
}

test('a published page refreshes about once a minute, with jitter', () => {
  expect([refreshDelay(shown, 0, 0), refreshDelay(shown, 0, 1)]).toEqual([54_000, 66_000])
})

test('each failure doubles the wait, up to a quarter of an hour', () => {
  expect([1, 2, 3, 10].map((failures) => refreshDelay(failed(), failures, 0.5))).toEqual([
    120_000, 240_000, 480_000, 900_000,
  ])
})

test('the page never refreshes sooner than the server asks', () => {
  expect(refreshDelay(failed(600), 1, 0.5)).toBe(600_000)
})

test('a deleted result is never requested again', () => {
  expect(refreshDelay({ kind: 'gone' }, 0, 0.5)).toBeNull()
})
