import type { ScheduleTrigger } from '#contract/schedules.ts'

/** How often a schedule starts, as a person chooses it. `cron` is for everything that the other choices cannot say. */
export type Recurrence = {
  every: 'day' | 'weekday' | 'week' | 'cron' | 'push'
  /** `02:00` */
  at: string
  /** 0 is Sunday. */
  weekday: string
  cron: string
  timeZone: string
}

export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

export const nightly = (timeZone: string): Recurrence => ({
  every: 'day',
  at: '02:00',
  weekday: '1',
  cron: '',
  timeZone,
})

export function toTrigger({ every, at, weekday, cron, timeZone }: Recurrence): ScheduleTrigger {
  if (every === 'push') return { kind: 'push' }
  const [hour = 0, minute = 0] = at.split(':').map(Number)
  const days = { day: '*', weekday: '1-5', week: weekday }
  return { kind: 'times', cron: every === 'cron' ? cron : `${minute} ${hour} * * ${days[every]}`, timeZone }
}

const simple = /^(\d{1,2}) (\d{1,2}) \* \* (\*|1-5|MON-FRI|[0-7])$/i

/** The choice that gives this trigger. */
export function readRecurrence(trigger: ScheduleTrigger, timeZone: string): Recurrence {
  const usual = nightly(timeZone)
  if (trigger.kind === 'push') return { ...usual, every: 'push' }
  const [, minute = '', hour = '', days = ''] = simple.exec(trigger.cron) ?? []
  const read = { ...usual, cron: trigger.cron, timeZone: trigger.timeZone }
  if (minute === '') return { ...read, every: 'cron' }
  const at = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  if (days === '*') return { ...read, at, every: 'day' }
  if (days.includes('-')) return { ...read, at, every: 'weekday' }
  return { ...read, at, every: 'week', weekday: String(Number(days) % 7) }
}

/** `Every day at 02:00 (Europe/Berlin)` */
export function triggerText(trigger: ScheduleTrigger): string {
  if (trigger.kind === 'push') return 'After each new version'
  const { every, at, weekday } = readRecurrence(trigger, trigger.timeZone)
  const when = {
    day: `Every day at ${at}`,
    weekday: `Monday to Friday at ${at}`,
    week: `Every ${weekdays[Number(weekday)]} at ${at}`,
    cron: `Cron ${trigger.cron}`,
    push: '',
  }
  return `${when[every]} (${trigger.timeZone.replaceAll('_', ' ')})`
}
