import { expect, test } from 'vitest'

import { commentsSince } from './comments-since.ts'
import { nextVisit } from './last-visit.ts'
import { remainingTime } from './remaining-time.ts'

const at = (time: string) => Date.parse(`2026-11-22T${time}Z`)
const iso = (time: string) => new Date(at(time)).toISOString()

test('the news of Home start at the end of the last visit, and a reload keeps them', () => {
  const first = nextVisit(null, at('09:00:00'))
  expect(first).toEqual({ seenAt: iso('09:00:00'), since: null })
  const reload = nextVisit(first, at('09:05:00'))
  expect(reload).toEqual({ seenAt: iso('09:05:00'), since: null })
  const second = nextVisit(reload, at('11:00:00'))
  expect(second).toEqual({ seenAt: iso('11:00:00'), since: iso('09:05:00') })
  expect(nextVisit(second, at('11:10:00')).since).toBe(iso('09:05:00'))
})

test.each([
  [{ runCount: 20, finishedCount: 0, startedAt: iso('10:00:00') }, undefined],
  [{ runCount: 20, finishedCount: 5 }, undefined],
  [{ runCount: 20, finishedCount: 5, startedAt: iso('10:00:00') }, 'about 6 minutes left'],
  [{ runCount: 20, finishedCount: 19, startedAt: iso('10:00:00') }, 'less than a minute left'],
  [{ runCount: 2000, finishedCount: 10, startedAt: iso('10:00:00') }, 'about 7 hours left'],
  [{ runCount: 4, finishedCount: 2, startedAt: iso('10:01:00') }, 'about 1 minute left'],
])('the remaining time follows the pace of the finished runs: %j', (progress, text) => {
  expect(remainingTime(progress, at('10:02:00'))).toBe(text)
})

test('Home lists comments for the reader since the last visit, and at most five', () => {
  const entry = (type: string, time: string) => ({
    event_id: `${type} ${time}`,
    type,
    schema_version: 1,
    occurred_at: iso(time),
    actor: null,
    subject: { type: 'report', id: 'r' },
    scope: null,
    payload: {},
    created_at: iso(time),
    read_at: null,
  })
  const feed = (...entries: ReturnType<typeof entry>[]) => ({ entries, next_cursor: null })
  const news = [
    entry('report.mentioned', '10:00:00'),
    entry('report.updated', '09:30:00'),
    entry('report.commented', '09:20:00'),
  ]
  const old = entry('report.commented', '08:00:00')
  const listed = commentsSince(feed(...news, old), iso('09:00:00'))
  expect(listed.map(({ type }) => type)).toEqual(['report.mentioned', 'report.commented'])
  const many = Array.from({ length: 8 }, () => entry('report.commented', '10:00:00'))
  expect(commentsSince(feed(...many), iso('09:00:00'))).toHaveLength(5)
  expect(commentsSince(undefined, iso('09:00:00'))).toEqual([])
})
