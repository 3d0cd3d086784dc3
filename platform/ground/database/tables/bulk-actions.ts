import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

import type { BulkActionKind, BulkActionState, RerunChoice } from '#contract/bulk-actions.ts'
import type { RunStatus } from '#contract/run-status.ts'
import { instant } from '#platform/ground/database/columns.ts'
import { organizationReference, userReference } from './identity.ts'

/** What the person read before the start. */
export type BulkActionPlan = {
  selected: number
  statusCounts: Partial<Record<RunStatus, number>>
  leftOut: { reason: string; runs: number }[]
  heldMicros?: string
  /** The real runs among runs again, with what budgets count of them. */
  charged?: { experimentId: string; runCount: number; micros: string }[]
  olderVersions?: number
}

/** An action on many runs. Its runs are chosen when it is proposed, so it touches what its proposal said. */
export const bulkActions = pgTable(
  'bulk_actions',
  {
    id: uuid().primaryKey(),
    organizationId: organizationReference(),
    kind: text().$type<BulkActionKind>().notNull(),
    newTag: text(),
    choice: text().$type<RerunChoice>(),
    plan: jsonb().$type<BulkActionPlan>().notNull(),
    state: text().$type<BulkActionState>().notNull(),
    stateReason: text(),
    createdBy: userReference(),
    createdAt: instant().notNull(),
    startedAt: instant(),
    endedAt: instant(),
    /** The end of its last batch, so that actions take turns. */
    workedAt: instant(),
    /** How often a batch failed since the last one that did not. */
    faults: integer().notNull().default(0),
    /** Batches that deleted runs, and how many of them the analytics engine knows of. */
    removals: integer().notNull().default(0),
    removalsProjected: integer().notNull().default(0),
  },
  (table) => [
    index('bulk_actions_newest').on(table.organizationId, table.createdAt),
    index('bulk_actions_unfinished')
      .on(table.workedAt)
      .where(sql`${table.state} = 'running' or ${table.removals} > ${table.removalsProjected}`),
  ],
)

/** A run that the action touches, once. Without a foreign key, because the action can delete the run. */
export const bulkActionRuns = pgTable(
  'bulk_action_runs',
  {
    actionId: uuid()
      .notNull()
      .references(() => bulkActions.id, { onDelete: 'cascade' }),
    seq: integer().notNull(),
    /** Runs of one part are touched in one transaction. */
    part: integer().notNull(),
    runId: uuid().notNull(),
    state: text().$type<'pending' | 'done' | 'skipped' | 'failed'>().notNull().default('pending'),
    reason: text(),
    /** The request in which the run runs again. */
    newRequestId: uuid(),
  },
  (table) => [
    primaryKey({ columns: [table.actionId, table.seq] }),
    index('bulk_action_runs_pending')
      .on(table.actionId, table.part)
      .where(sql`${table.state} = 'pending'`),
    index('bulk_action_runs_of_run').on(table.actionId, table.runId),
  ],
)
