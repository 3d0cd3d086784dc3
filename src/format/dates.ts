const units: readonly [word: string, seconds: number][] = [
  ['y', 31_536_000],
  ['mo', 2_592_000],
  ['w', 604_800],
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
]

/**
 * `3m ago` and `2d ago`, or `just now` for less than a minute. What has happened is never `in 7m`, however late the
 * reader's clock is; a plan is.
 */
export function relativeTime(iso: string, now: number, isPlanned = false): string {
  const since = (now - Date.parse(iso)) / 1000
  const past = isPlanned ? since : Math.max(0, since)
  const unit = units.find(([, size]) => Math.abs(past) >= size)
  if (!unit) return 'just now'
  const [word, size] = unit
  const amount = `${Math.trunc(Math.abs(past) / size)}${word}`
  return past > 0 ? `${amount} ago` : `in ${amount}`
}

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' })

/** `20 Nov 2026, 15:21:07 UTC`, in the reader's own time zone. */
export const exactTime = (iso: string) => exact.format(new Date(iso))

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })

/** `20 Nov 2026`, in the reader's own time zone. */
export const calendarDay = (iso: string) => day.format(new Date(iso))

const utcDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** `20 Nov 2026`, of a day in UTC such as `2026-11-20`, which is another day elsewhere. */
export const calendarDate = (date: string) => utcDay.format(new Date(date))

const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** `20 Nov`, of a day in UTC such as `2026-11-20`. */
export const dayOfMonth = (date: string) => shortDay.format(new Date(date))

/** `Tue 24 Nov, 02:00`, by the clock of the time zone. */
export const timeIn = (iso: string, timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  }).format(new Date(iso))

/** `20 Nov` or `Nov 2026`: the day or month in which a moment is by the clock of the time zone. */
export const nameOfInterval = (
  iso: string,
  { timeZone, intervalUnit }: { timeZone: string; intervalUnit: 'day' | 'month' },
) =>
  new Intl.DateTimeFormat('en-GB', {
    month: 'short',
    timeZone,
    ...(intervalUnit === 'day' ? { day: 'numeric' } : { year: 'numeric' }),
  }).format(new Date(iso))
