import { Cron } from 'croner'

import type { ScheduleTrigger } from '#contract/schedules.ts'
import { isTimeZone, notTimeZone } from '#contract/wire/time-zone.ts'
import { invalidFields } from '#platform/ground/failures/failure.ts'

const hourMs = 60 * 60_000
/** Enough to see the shortest gap of expressions that repeat within a week. */
const checkedTimes = 200
/** `30 2 29 2 *` is years away, and a date that never comes ends the search. */
const shownTimes = 5

/** Five fields: croner would also take seconds, years and names such as `@hourly`. */
const fiveFields = /^[\d\w*/,#?-]+( +[\d\w*/,#?-]+){4}$/

/**
 * The times that follow `after` (RFC 3339), at most `count`. A time that the clock of the zone skips in spring is moved
 * behind the gap, and one that comes twice in autumn counts once. Errors: `invalid_argument` for an expression or a zone
 * that cannot be read.
 */
export function timesAfter({ cron, timeZone }: CronTimes, after: string, count = shownTimes): string[] {
  if (!isTimeZone(timeZone)) throw invalidFields([{ path: ['trigger', 'timeZone'], message: notTimeZone }])
  try {
    if (!fiveFields.test(cron.trim())) throw new TypeError('expected five fields')
    const times = new Cron(cron.trim(), { timezone: timeZone, mode: '5-part' }).nextRuns(count, new Date(after))
    return times.map((time) => time.toISOString().replace('.000Z', '.000000Z'))
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : ''
    throw invalidCron(`cannot be read: ${why}`)
  }
}

type CronTimes = Pick<Extract<ScheduleTrigger, { kind: 'times' }>, 'cron' | 'timeZone'>

/** The next start of a trigger; null for one that waits for a push. */
export const nextStart = (trigger: ScheduleTrigger, after: string): string | null =>
  trigger.kind === 'push' ? null : (timesAfter(trigger, after, 1)[0] ?? null)

/** Errors: `invalid_argument` also if it never starts, or more often than once an hour. */
export function requireReasonable(trigger: ScheduleTrigger, now: string) {
  if (trigger.kind === 'push') return
  const times = timesAfter(trigger, now, checkedTimes).map((time) => Date.parse(time))
  if (times.length === 0) throw invalidCron('must match a date that exists')
  const isClose = times.some((time, place) => place > 0 && time - (times[place - 1] ?? 0) < hourMs)
  if (isClose) throw invalidCron('must not match more often than once an hour')
}

const invalidCron = (message: string) => invalidFields([{ path: ['trigger', 'cron'], message }])
