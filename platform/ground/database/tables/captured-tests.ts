import { doublePrecision, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

import type { Outcome } from '#contract/outcomes.ts'
import { runReference } from './runs.ts'

export const capturedTests = pgTable(
  'captured_tests',
  {
    runId: runReference(),
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
