import { doublePrecision, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

import type { LeftOutSpans, SpanAttribute, SpanCategory, SpanEvent, SpanStatus } from '#contract/spans.ts'
import { instant, tokenCount } from '#platform/ground/database/columns.ts'
import { runReference } from './runs.ts'

/** The spans that the agent of a run attempt traced, in the order in which they arrived. */
export const runSpans = pgTable(
  'run_spans',
  {
    runId: runReference(),
    attempt: integer().notNull(),
    seq: integer().notNull(),
    traceId: text().notNull(),
    spanId: text().notNull(),
    parentSpanId: text(),
    name: text().notNull(),
    category: text().$type<SpanCategory>().notNull(),
    service: text(),
    scope: text(),
    startedAt: instant().notNull(),
    durationMs: doublePrecision().notNull(),
    status: text().$type<SpanStatus>().notNull(),
    statusMessage: text(),
    operation: text(),
    model: text(),
    tool: text(),
    callId: text(),
    inputTokens: tokenCount(),
    outputTokens: tokenCount(),
    attributes: jsonb().$type<SpanAttribute[]>().notNull(),
    events: jsonb().$type<SpanEvent[]>().notNull(),
    /** Attributes, events and texts that were too many or too long to keep. */
    partsLeftOut: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.attempt, table.seq] })],
)

/** What was left out of the trace of a run attempt, which is there if the agent sent anything. */
export const runTraces = pgTable(
  'run_traces',
  {
    runId: runReference(),
    attempt: integer().notNull(),
    leftOut: jsonb().$type<LeftOutSpans[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.attempt] })],
)
