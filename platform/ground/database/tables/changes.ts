import { integer, pgTable, uuid } from 'drizzle-orm/pg-core'

import { runs } from './runs.ts'

/** Runs whose changed files are in blobs: a manifest and `packs` packs of this attempt. */
export const runChanges = pgTable('run_changes', {
  runId: uuid()
    .primaryKey()
    .references(() => runs.id),
  attempt: integer().notNull(),
  packs: integer().notNull(),
})
