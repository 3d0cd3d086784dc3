import { calendarDay } from '#src/format/dates.ts'

/** The choices of a lifetime, in days. */
export const lifetimes = ['30', '90', '365', 'date', 'never'] as const
export type Lifetime = (typeof lifetimes)[number]

const dayMs = 86_400_000

export type ExpiryValues = { lifetime: Lifetime; date: string }

/** The expiry as the API takes it; undefined for none. A chosen day ends in the reader's own time zone. */
export function toExpiresAt({ lifetime, date }: ExpiryValues, now: number): string | undefined {
  if (lifetime === 'never') return undefined
  if (lifetime !== 'date') return new Date(now + Number(lifetime) * dayMs).toISOString()
  const end = new Date(`${date}T23:59:59`)
  // An invalid text, so that the field shows what is missing.
  return Number.isNaN(end.getTime()) ? date : end.toISOString()
}

export const labelOfLifetime = (lifetime: Lifetime) => {
  if (lifetime === 'never') return 'No expiry'
  if (lifetime === 'date') return 'On a date…'
  return lifetime === '365' ? '1 year' : `${lifetime} days`
}

/** `Expires 20 Feb 2027`. */
export function describeExpiry(values: ExpiryValues, now: number): string {
  const expiresAt = toExpiresAt(values, now)
  if (expiresAt === undefined) return 'It works until someone revokes it. We recommend setting an expiry.'
  return Number.isNaN(Date.parse(expiresAt)) ? 'Choose the last day.' : `It expires on ${calendarDay(expiresAt)}.`
}
