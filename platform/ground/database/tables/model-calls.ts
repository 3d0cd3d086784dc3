import { boolean, doublePrecision, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

import type { ModelCallApi, TokenSource } from '#contract/model-calls.ts'
import { instant } from '#platform/ground/database/columns.ts'
import { runReference } from './runs.ts'

/** The calls of a run to its model, as the gateway saw them. Earlier attempts of the run keep theirs. */
export const modelCalls = pgTable(
  'model_calls',
  {
    runId: runReference(),
    attempt: integer().notNull(),
    seq: integer().notNull(),
    startedAt: instant().notNull(),
    provider: text().notNull(),
    api: text().$type<ModelCallApi>(),
    model: text(),
    answeredModel: text(),
    status: integer(),
    refused: boolean().notNull(),
    inputTokens: integer(),
    cachedTokens: integer(),
    outputTokens: integer(),
    tokenSource: text().$type<TokenSource>().notNull(),
    costUsd: doublePrecision(),
    firstByteMs: doublePrecision(),
    durationMs: doublePrecision().notNull(),
    error: text(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.attempt, table.seq] })],
)
