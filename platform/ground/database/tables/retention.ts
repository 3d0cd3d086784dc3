import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

import type { RemovalKind, RetentionCounts, RetentionRules, RetentionSweep } from '#contract/retention.ts'
import { instant } from '#platform/ground/database/columns.ts'
import { organizationReference, organizations } from './identity.ts'

/** An organization without a row keeps everything. */
export const retentionPolicies = pgTable('retention_policies', {
  organizationId: uuid()
    .primaryKey()
    .references(() => organizations.id),
  rules: jsonb().$type<RetentionRules>().notNull(),
  updatedAt: instant().notNull(),
  /** Nothing is removed before. */
  removesFrom: instant().notNull(),
  /** What the sweep that is under way has removed so far; null between sweeps. */
  sweep: jsonb().$type<RetentionCounts>(),
  lastSweep: jsonb().$type<RetentionSweep>(),
})

/**
 * What lost a reason to be kept, such as a label or a published insight, keeps its runs for a while, so that somebody can
 * notice. `subjectId` is the composite id of a run, or the id of an experiment.
 */
export const retentionGraces = pgTable(
  'retention_graces',
  {
    organizationId: organizationReference(),
    subjectKind: text().$type<'run' | 'experiment'>().notNull(),
    subjectId: text().notNull(),
    endsAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.subjectKind, table.subjectId] })],
)

/** What retention removed of a run. Without foreign keys, because it outlives the run. */
export const runRemovals = pgTable(
  'run_removals',
  {
    runId: uuid().notNull(),
    kind: text().$type<RemovalKind>().notNull(),
    organizationId: uuid().notNull(),
    compositeId: text().notNull(),
    requestId: uuid().notNull(),
    experimentId: text().notNull(),
    removedAt: instant().notNull(),
    keptDays: integer().notNull(),
    /** The analytics engine still has the rows. */
    inAnalytics: boolean().notNull().default(true),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.kind] }),
    index('run_removals_by_id').on(table.organizationId, table.compositeId),
    index('run_removals_of_request')
      .on(table.requestId)
      .where(sql`${table.kind} = 'runs'`),
    index('run_removals_in_analytics')
      .on(table.organizationId)
      .where(sql`${table.inAnalytics}`),
  ],
)

/** Blobs without a row, until they are deleted. */
export const removedBlobs = pgTable('removed_blobs', { key: text().primaryKey() })
