import { sql } from 'drizzle-orm'

import type { Database } from './open-database.ts'

/** Turns off the idle timeout of a transaction, for one that keeps its locks while it waits for work outside of the database. */
export const stayOpen = (tx: Database) => tx.execute(sql`set local idle_in_transaction_session_timeout = 0`)
