import { bigint, doublePrecision, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

import { runReference } from './runs.ts'

/** What one attempt of a run exchanged with one host and port. */
export const runTraffic = pgTable(
  'run_traffic',
  {
    runId: runReference(),
    attempt: integer().notNull(),
    host: text().notNull(),
    port: integer().notNull(),
    connections: integer().notNull(),
    bytesUp: bigint({ mode: 'number' }).notNull(),
    bytesDown: bigint({ mode: 'number' }).notNull(),
    refusals: integer().notNull(),
    /** The reason of the last refusal. */
    refusedBecause: text(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.attempt, table.host, table.port] })],
)

/** One service of an attempt of a run, with the end of what it printed. */
export const runServices = pgTable(
  'run_services',
  {
    runId: runReference(),
    attempt: integer().notNull(),
    name: text().notNull(),
    /** Its place in the order of their start. */
    ordinal: integer().notNull(),
    status: text().$type<'starting' | 'ready' | 'ended' | 'failed' | 'stopped'>().notNull(),
    reason: text(),
    readySeconds: doublePrecision(),
    log: text().notNull(),
    logBytes: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.attempt, table.name] })],
)
