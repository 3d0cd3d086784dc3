import { customType } from 'drizzle-orm/pg-core'

/**
 * A point in time, microseconds kept: RFC 3339 text in UTC on this side (`2026-01-02T03:04:05.678901Z`),
 * `timestamptz` in SQL. Text, because a JavaScript Date would drop the microseconds that conflict stamps compare.
 */
export const instant = customType<{ data: string; driverData: string | Date }>({
  dataType: () => 'timestamptz(6)',
  fromDriver: (value) => toInstant(value),
})

/** Reads the text form of both drivers (`2026-01-02 03:04:05.678901+00`). */
export function toInstant(value: string | Date): string {
  if (value instanceof Date) return value.toISOString()
  return value.replace(' ', 'T').replace(/([+-]00)(:?00)?$/, 'Z')
}
