import { doublePrecision, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

import type { Outcome } from '#contract/outcomes.ts'
import { runs } from './runs.ts'

export const capturedTests = pgTable(
  'captured_tests',
  {
    runId: uuid()
      .notNull()
      .references(() => runs.id),
    ordinal: integer().notNull(),
    name: text().notNull(),
    outcome: text().$type<Outcome>().notNull(),
    exitCode: integer(),
    durationMs: doublePrecision(),
    stdoutTail: text().notNull(),
    stderrTail: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.ordinal] })],
)
