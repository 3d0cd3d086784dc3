import { sql } from 'drizzle-orm'
import { customType } from 'drizzle-orm/pg-core'

/**
 * A point in time, microseconds kept: RFC 3339 text in UTC on this side (`2026-01-02T03:04:05.678901Z`),
 * `timestamptz` in SQL. Text, because a JavaScript Date would drop the microseconds that conflict stamps compare.
 */
export const instant = customType<{ data: string; driverData: string | Date }>({
  dataType: () => 'timestamptz(6)',
  fromDriver: (value) => toInstant(value),
})

/** Reads the text form of both drivers (`2026-01-02 03:04:05.6789+00`), which leaves zeros at the end out: as text, `.6Z` would come after `.65Z`. */
export function toInstant(value: string | Date): string {
  const text = value instanceof Date ? value.toISOString() : value.replace(' ', 'T').replace(/([+-]00)(:?00)?$/, 'Z')
  const [seconds = '', fraction = ''] = text.slice(0, -1).split('.')
  return `${seconds}.${fraction.padEnd(6, '0')}Z`
}

/** Any RFC 3339 text in the same form: in UTC, microseconds kept. */
export function toSixDigits(text: string): string {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? ''
  return `${new Date(text).toISOString().slice(0, 19)}.${fraction.slice(0, 6).padEnd(6, '0')}Z`
}

const transaction = customType<{ data: string }>({ dataType: () => 'xid8' })

/**
 * The transaction that last changed what readers see of a row: the default stamps an insert, a trigger an update. A
 * snapshot tells of every stamp whether it is news, whatever the order of the commits; a time could not.
 */
export const changedIn = () =>
  transaction()
    .notNull()
    .default(sql`pg_current_xact_id()`)
