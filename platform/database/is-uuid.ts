import { type Column, eq, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'

/** Any text may come as an id; what is no UUID names nothing. Compared as a UUID, not as text, so that an index serves. */
export const isUuid = (column: Column, text: string): SQL => (isUuidText(text) ? eq(column, text) : sql`false`)

export const isUuidText = (text: string) => z.guid().safeParse(text).success
