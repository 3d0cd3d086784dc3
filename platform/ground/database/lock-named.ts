import { sql } from 'drizzle-orm'

import type { Database } from './open-database.ts'

/**
 * Waits for what `names` names, and locks it until the transaction ends, whether or not it has a row. Names are the
 * kind of thing and what tells it apart, such as `'tags', organizationId`.
 */
export const lockNamed = (tx: Database, ...names: readonly string[]) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${names.join(' ')}, 0))`)
