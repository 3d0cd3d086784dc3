import {
  type AnyPgColumn,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm'
import type { z } from 'zod'

import type { Submission } from '#contract/run-submission.ts'
import type { GateResult, ScheduleGate } from '#contract/schedule-gate.ts'
import type { ScheduleTrigger, StartCause } from '#contract/schedules.ts'
import { instant } from '#platform/ground/database/columns.ts'
import { organizationReference, userReference } from './identity.ts'
import { runRequests } from './runs.ts'

/** A submission that is repeated. `nextAt` is null while it is paused, and for schedules that start after a push. */
export const schedules = pgTable(
  'schedules',
  {
    id: uuid().primaryKey(),
    organizationId: organizationReference(),
    experimentId: text().notNull(),
    name: text().notNull(),
    trigger: jsonb().$type<ScheduleTrigger>().notNull(),
    submission: jsonb().$type<z.infer<typeof Submission>>().notNull(),
    monthlyBudgetUsd: doublePrecision(),
    gate: jsonb().$type<ScheduleGate>(),
    isEnabled: boolean().notNull(),
    pausedBecause: text(),
    ownerId: userReference(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    nextAt: instant(),
    /** After a fault of the platform, it does not start before this time. */
    restsUntil: instant(),
    /** The newest version that needs no further start; null unless it starts after a push. */
    lastOrdinal: integer(),
  },
  (table) => [
    unique('schedules_name').on(table.organizationId, table.experimentId, table.name),
    index('schedules_due')
      .on(table.nextAt)
      .where(sql`${table.nextAt} is not null`),
    index('schedules_push')
      .on(table.organizationId, table.experimentId)
      .where(sql`${table.lastOrdinal} is not null and ${table.isEnabled}`),
  ],
)

/** What a schedule started, or why it did not. */
export const scheduleStarts = pgTable(
  'schedule_starts',
  {
    id: uuid().primaryKey(),
    scheduleId: uuid()
      .notNull()
      .references(() => schedules.id, { onDelete: 'cascade' }),
    cause: text().$type<z.infer<typeof StartCause>>().notNull(),
    startedAt: instant().notNull(),
    skippedBecause: text(),
    requestId: uuid().references(() => runRequests.id, { onDelete: 'set null' }),
    ordinal: integer(),
    finishedAt: instant(),
    solved: integer(),
    counted: integer(),
    gate: jsonb().$type<GateResult>(),
    /** The start with a suspected drop whose runs this one runs again: at most once. */
    confirmsId: uuid().references((): AnyPgColumn => scheduleStarts.id, { onDelete: 'cascade' }),
  },
  (table) => [
    index('schedule_starts_newest').on(table.scheduleId, table.startedAt, table.id),
    index('schedule_starts_open')
      .on(table.scheduleId)
      .where(sql`${table.finishedAt} is null`),
    index('schedule_starts_request').on(table.requestId),
    unique('schedule_starts_confirms').on(table.confirmsId),
    index('schedule_starts_suspected')
      .on(table.scheduleId)
      .where(sql`${table.gate} ->> 'reason' = 'suspected'`),
  ],
)
