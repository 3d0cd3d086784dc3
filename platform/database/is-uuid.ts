import { type Column, eq, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'

/**
 * Accepts any text as an id; text that is not a UUID matches nothing. It compares UUIDs, not text, so that an index is
 * used.
 */
export const isUuid = (column: Column, text: string): SQL => (isUuidText(text) ? eq(column, text) : sql`false`)

export const isUuidText = (text: string) => z.guid().safeParse(text).success
