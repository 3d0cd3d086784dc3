import { sql } from 'drizzle-orm'
import { customType } from 'drizzle-orm/pg-core'

/**
 * A point in time with microseconds: RFC 3339 text in UTC in JavaScript (`2026-01-02T03:04:05.678901Z`), `timestamptz`
 * in SQL. It is text because a JavaScript Date would drop the microseconds that conflict checks compare.
 */
export const instant = customType<{ data: string; driverData: string | Date }>({
  dataType: () => 'timestamptz(6)',
  fromDriver: (value) => toInstant(value),
})

/**
 * Reads both drivers' text (`2026-01-02 03:04:05.6789+00`) and restores trailing zeros: as text, `.6Z` sorts after
 * `.65Z`.
 */
export function toInstant(value: string | Date): string {
  const text = value instanceof Date ? value.toISOString() : value.replace(' ', 'T').replace(/([+-]00)(:?00)?$/, 'Z')
  const [seconds = '', fraction = ''] = text.slice(0, -1).split('.')
  return `${seconds}.${fraction.padEnd(6, '0')}Z`
}

/** Converts any RFC 3339 text to the same form: UTC with microseconds. */
export function toSixDigits(text: string): string {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? ''
  return `${new Date(text).toISOString().slice(0, 19)}.${fraction.slice(0, 6).padEnd(6, '0')}Z`
}

const transaction = customType<{ data: string }>({ dataType: () => 'xid8' })

/**
 * The transaction that last changed the visible fields of a row. The default sets it on insert, a trigger on update. A
 * snapshot can tell for every stamp whether it is new, in any order of commits; a timestamp could not.
 */
export const changedIn = () =>
  transaction()
    .notNull()
    .default(sql`pg_current_xact_id()`)
