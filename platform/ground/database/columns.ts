import { sql } from 'drizzle-orm'
import { bigint, customType } from 'drizzle-orm/pg-core'

import { toInstant } from './instants.ts'

/**
 * A point in time with microseconds: RFC 3339 text in UTC in JavaScript (`2026-01-02T03:04:05.678901Z`), `timestamptz`
 * in SQL. It is text because a JavaScript Date would drop the microseconds that conflict checks compare.
 */
export const instant = customType<{ data: string; driverData: string | Date }>({
  dataType: () => 'timestamptz(6)',
  fromDriver: (value) => toInstant(value),
})

/** A sum of tokens, which can be more than two thousand million. */
export const tokenCount = () => bigint({ mode: 'number' })

const transaction = customType<{ data: string }>({ dataType: () => 'xid8' })

/**
 * The transaction that last changed the visible fields of a row. The default sets it on insert, a trigger on update. A
 * snapshot shows for every stamp whether it is new, in any order of commits; a timestamp could not.
 */
export const changedIn = () =>
  transaction()
    .notNull()
    .default(sql`pg_current_xact_id()`)
