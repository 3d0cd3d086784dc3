import { sql } from 'drizzle-orm'
import { bigserial, boolean, index, pgTable, uuid } from 'drizzle-orm/pg-core'

import { instant } from '#platform/ground/database/columns.ts'

/** Runs that are not yet in the analytics engine. A row is written in the transaction that ends its run or changes its labels. */
export const analyticsOutbox = pgTable(
  'analytics_outbox',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    organizationId: uuid().notNull(),
    runId: uuid().notNull(),
    /** The engine has the rest of the run, and only its labels changed. */
    labelsOnly: boolean().notNull().default(false),
    createdAt: instant()
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    index('analytics_outbox_of_organization').on(table.organizationId, table.id),
    index('analytics_outbox_of_run').on(table.runId),
  ],
)
