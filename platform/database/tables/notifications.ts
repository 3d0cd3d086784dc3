import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

import type { Actor } from '#contract/identity.ts'
import type { NotificationType } from '#contract/notification-types.ts'
import { instant } from './columns.ts'
import { organizations, users } from './identity.ts'

/** One change that people are told of; `source` names what caused it, so that nobody is told twice. Null organization: everybody's. */
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

/** An event in one person's feed. Organization and time are the event's, here for the index that a page is read from. */
export const notificationEntries = pgTable(
  'notification_entries',
  {
    userId: uuid()
      .notNull()
      .references(() => users.id),
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

/** When something last happened in an organization. Whoever tells people takes this row first, so that times grow in the order of commits. */
export const notificationClocks = pgTable('notification_clocks', {
  organizationId: uuid()
    .primaryKey()
    .references(() => organizations.id),
  occurredAt: instant().notNull(),
})
