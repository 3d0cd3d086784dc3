import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

import type { Actor } from '#contract/identity.ts'
import type { NotificationType } from '#contract/notification-types.ts'
import { instant } from '#platform/ground/database/columns.ts'
import { organizations, userReference } from './identity.ts'

/**
 * One notified change; `source` is the unique key of its cause, so nobody is notified twice. Null organization: for
 * everyone.
 */
export const notificationEvents = pgTable(
  'notification_events',
  {
    id: uuid().primaryKey(),
    organizationId: uuid().references(() => organizations.id),
    type: text().$type<NotificationType>().notNull(),
    schemaVersion: integer().notNull(),
    source: text().notNull().unique(),
    actor: jsonb().$type<Actor>(),
    subjectType: text().notNull(),
    subjectId: text().notNull(),
    payload: jsonb().$type<Record<string, unknown>>().notNull(),
    occurredAt: instant().notNull(),
  },
  (table) => [
    index('notification_events_of_subject').on(table.subjectId, table.occurredAt),
    index('notification_events_oldest').on(table.occurredAt),
  ],
)

/**
 * An event in one person's feed. It repeats the event's organization and time for the index that pages are read from.
 */
export const notificationEntries = pgTable(
  'notification_entries',
  {
    userId: userReference(),
    eventId: uuid()
      .notNull()
      .references(() => notificationEvents.id),
    organizationId: uuid(),
    occurredAt: instant().notNull(),
    createdAt: instant().notNull(),
    readAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.eventId] }),
    index('notification_entries_of_event').on(table.eventId),
    index('notification_entries_newest').on(table.userId, table.occurredAt, table.eventId),
    index('notification_entries_unread')
      .on(table.userId, table.occurredAt, table.eventId)
      .where(sql`${table.readAt} is null`),
  ],
)

/**
 * The time of an organization's latest event. Every notice locks this row first, so that times increase in commit
 * order.
 */
export const notificationClocks = pgTable('notification_clocks', {
  organizationId: uuid()
    .primaryKey()
    .references(() => organizations.id),
  occurredAt: instant().notNull(),
})
