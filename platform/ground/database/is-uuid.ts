import { between, type Column, eq, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'

/**
 * Accepts any text as an id; text that is not a UUID matches nothing. It compares UUIDs, not text, so that an index is
 * used.
 */
export const isUuid = (column: Column, text: string): SQL => (isUuidText(text) ? eq(column, text) : sql`false`)

export const isUuidText = (text: string) => z.guid().safeParse(text).success

/**
 * Whether an id starts with this text: at least 8 digits of a UUID. Text that starts no UUID matches nothing. The ids with
 * one prefix are a range, so an index can find them.
 */
export function startsUuid(column: Column, text: string): SQL {
  const digits = text.toLowerCase().replaceAll('-', '')
  const [first, last] = [toUuid(digits.padEnd(32, '0')), toUuid(digits.padEnd(32, 'f'))]
  const isPrefix = /^[0-9a-f]{8,32}$/.test(digits) && first.startsWith(text.toLowerCase())
  return isPrefix ? between(column, first, last) : sql`false`
}

/** Whether an id ends with this text: at least 8 digits of a UUID, as lists show them. */
export function endsUuid(column: Column, text: string): SQL {
  const isSuffix = /^[0-9a-f-]{8,36}$/i.test(text)
  return isSuffix ? sql`right(${column}::text, ${text.length}) = ${text.toLowerCase()}` : sql`false`
}

const toUuid = (digits: string) => digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
