import { expect, test } from 'vitest'

import type { NotificationEntry } from '#contract/notifications.ts'
import { describeEntry as describe } from './describe-entry.ts'

const describeEntry = (shown: NotificationEntry) => describe(shown, 'a')

const entry = (more: Partial<NotificationEntry>): NotificationEntry => ({
  event_id: 'e',
  type: 'report.updated',
  schema_version: 1,
  occurred_at: '2026-11-20T10:00:00Z',
  actor: { id: 'a', name: 'Ada' },
  subject: { type: 'report', id: 'r1' },
  scope: null,
  payload: { title: 'Finding' },
  created_at: '2026-11-20T10:00:00Z',
  read_at: null,
  ...more,
})

test('a known type has a description and a link to its subject', () => {
  expect(describeEntry(entry({}))).toEqual({ text: 'Ada edited Finding', href: '/reports/r1' })
  const finished = { experiment_id: 'x', experiment_name: 'Roman', ordinal: 2, completed: 8, errored: 1, canceled: 0 }
  const request = entry({ type: 'run_request.finished', subject: { type: 'run_request', id: 'q' }, payload: finished })
  expect(describeEntry(request)).toEqual({
    text: 'Roman v2 finished',
    detail: '8 runs completed, 1 errored',
    href: '/runs/q',
  })
  const counted = { ...request, payload: { ...finished, solved: { solved: 6, runs: 9 } } }
  expect(describeEntry(counted).detail).toBe('solved 6 of 9 runs, 8 runs completed, 1 errored')
})

test('a payment with another amount than requested shows its own currency and its status', () => {
  const payload = { asked_micros: '25000000', paid_amount: '2501', paid_currency: 'usd', decision: 'pending' }
  const words = (more: object) => describeEntry(entry({ type: 'credit.withheld', payload: { ...payload, ...more } }))
  expect(words({})).toMatchObject({
    text: 'A payment of $25.01 is on hold',
    detail: 'Expected $25.00; on hold until the operator decides',
  })
  expect(words({ paid_currency: 'jpy', decision: 'rejected' })).toMatchObject({
    text: 'A payment of 2501 in the smallest unit of JPY was rejected',
    detail: 'Expected $25.00; no credit was added',
  })
})

test('a person reads “you” in the notification that their email was stopped, and an admin reads their name', () => {
  const stopped = (person_id: string) =>
    describeEntry(entry({ type: 'mail.stopped', payload: { person_id, person_name: 'Ada' } }))
  expect(stopped('a')).toMatchObject({ text: 'Email to you was stopped', href: '/settings/notifications' })
  expect(stopped('b')).toMatchObject({ text: 'Email to Ada was stopped', href: '/settings/mail' })
})

test('rules that remove more say what, since when, and what was before', () => {
  const payload = {
    shorter: [
      { kind: 'runs', days: 30, days_before: null },
      { kind: 'outputs', days: 7, days_before: 90 },
    ],
    released_experiments: 1,
    removes_from: '2026-11-24T12:30:00.000000Z',
  }
  const tightened = entry({ type: 'retention.tightened', subject: { type: 'retention', id: 'o' }, payload })
  expect(describeEntry(tightened)).toEqual({
    text: 'Ada changed retention: it removes more from 24 November 2026 at 12:30 UTC',
    detail:
      'whole runs after 30 days (before: never); the output of tests after 7 days (before: 90); 1 experiment is no longer kept',
    href: '/settings/retention',
  })
})

test('an unknown type shows its raw data and has no link', () => {
  const unknown = entry({ type: 'robot.dreamt', subject: { type: 'robot', id: '7' }, payload: {} })
  expect(describeEntry(unknown)).toEqual({ text: 'robot.dreamt', detail: 'robot 7' })
})

test('unknown fields are ignored, and a known type with an unexpected payload shows its raw data', () => {
  expect(describeEntry(entry({ payload: { title: 'Finding', mood: 'good' } })).text).toBe('Ada edited Finding')
  expect(describeEntry(entry({ payload: { name: 'Finding' } })).text).toBe('report.updated')
  expect(describeEntry(entry({ type: 'constructor' })).text).toBe('constructor')
})
