import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

import { runs } from './runs.ts'

/** Where an imported run came from. Without an import if the operator's command imported it. */
export const runSources = pgTable('run_sources', {
  runId: uuid()
    .primaryKey()
    .references(() => runs.id, { onDelete: 'cascade' }),
  importId: uuid(),
  tool: text().notNull(),
  toolVersion: text(),
  file: text().notNull(),
})
