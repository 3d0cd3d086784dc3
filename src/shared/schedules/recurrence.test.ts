import { expect, test } from 'vitest'

import { readRecurrence, toTrigger, triggerText } from './recurrence.ts'

const times = (cron: string) => ({ kind: 'times', cron, timeZone: 'America/New_York' }) as const

test.for<[cron: string, text: string]>([
  ['0 2 * * *', 'Every day at 02:00 (America/New York)'],
  ['30 14 * * 1-5', 'Monday to Friday at 14:30 (America/New York)'],
  ['30 14 * * mon-fri', 'Monday to Friday at 14:30 (America/New York)'],
  ['5 0 * * 1', 'Every Monday at 00:05 (America/New York)'],
  ['5 0 * * 7', 'Every Sunday at 00:05 (America/New York)'],
  ['0 */6 * * *', 'Cron 0 */6 * * * (America/New York)'],
  ['0 2 1 * *', 'Cron 0 2 1 * * (America/New York)'],
])('"%s" reads as "%s"', ([cron, text]) => {
  expect(triggerText(times(cron))).toBe(text)
})

test.for(['0 2 * * *', '30 14 * * 1-5', '5 0 * * 1', '0 */6 * * *', '0 0 * * 0'])(
  '"%s" stays the same in the form',
  (cron) => {
    expect(toTrigger(readRecurrence(times(cron), 'UTC'))).toEqual(times(cron))
  },
)

test('a push has no clock, and its form starts with the reader’s time zone', () => {
  expect(triggerText({ kind: 'push' })).toBe('After each new version')
  expect(readRecurrence({ kind: 'push' }, 'Asia/Tokyo')).toMatchObject({ every: 'push', timeZone: 'Asia/Tokyo' })
  expect(toTrigger(readRecurrence({ kind: 'push' }, 'UTC'))).toEqual({ kind: 'push' })
})
