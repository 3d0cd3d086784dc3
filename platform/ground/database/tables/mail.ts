import { sql } from 'drizzle-orm'
import { bigserial, boolean, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

import type { MailKind, MailState } from '#contract/mail.ts'
import type { EmailTiming } from '#contract/notification-choices.ts'
import type { NotificationType } from '#contract/notification-types.ts'
import { instant } from '#platform/ground/database/columns.ts'
import { organizations, users } from './identity.ts'
import { notificationEvents } from './notifications.ts'

/** What a person chose for a type of notifications. Null, and a missing row, is the usual. */
export const notificationChoices = pgTable(
  'notification_choices',
  {
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    type: text().$type<NotificationType>().notNull(),
    inApp: boolean(),
    mail: text().$type<EmailTiming>(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.type] })],
)

/** The person as a receiver of email. One sender at a time works for a person, until its lease ends. */
export const mailPeople = pgTable(
  'mail_people',
  {
    userId: uuid()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The address that the person confirmed. Nothing is sent to another one. */
    address: text(),
    confirmedAt: instant(),
    digestHour: integer().notNull(),
    timeZone: text().notNull(),
    nextDigestAt: instant(),
    /** Since when nothing is sent, because a server refused the address, and its answer. */
    stoppedAt: instant(),
    stopFault: text(),
    failures: integer().notNull().default(0),
    nextTryAt: instant().notNull(),
    leaseId: uuid(),
    leaseEndsAt: instant(),
  },
  (table) => [
    index('mail_people_by_try')
      .on(table.nextTryAt, table.userId)
      .where(sql`${table.stoppedAt} is null`),
  ],
)

/** One email: the log, and the queue of those that wait. Its text is made of its items when it is sent. */
export const mails = pgTable(
  'mails',
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Null for an announcement to everyone. */
    organizationId: uuid().references(() => organizations.id, { onDelete: 'cascade' }),
    kind: text().$type<MailKind>().notNull(),
    subject: text().notNull(),
    state: text().$type<MailState>().notNull(),
    createdAt: instant().notNull(),
    sentAt: instant(),
    attempts: integer().notNull().default(0),
    firstTryAt: instant(),
    lastTryAt: instant(),
    fault: text(),
  },
  (table) => [
    index('mails_waiting')
      .on(table.userId, table.createdAt)
      .where(sql`${table.state} = 'waiting'`),
    index('mails_of_person').on(table.userId, table.createdAt),
    index('mails_newest').on(table.organizationId, table.createdAt, table.id),
    index('mails_oldest').on(table.createdAt),
  ],
)

/** A notification that a person gets by email, in the order of `position`. It waits while it has no email. */
export const mailItems = pgTable(
  'mail_items',
  {
    position: bigserial({ mode: 'number' }).primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    eventId: uuid()
      .notNull()
      .references(() => notificationEvents.id, { onDelete: 'cascade' }),
    organizationId: uuid(),
    type: text().$type<NotificationType>().notNull(),
    timing: text().$type<'now' | 'digest'>().notNull(),
    createdAt: instant().notNull(),
    mailId: uuid().references(() => mails.id, { onDelete: 'cascade' }),
  },
  (table) => [
    uniqueIndex('mail_items_once').on(table.userId, table.eventId),
    index('mail_items_waiting')
      .on(table.userId, table.position)
      .where(sql`${table.mailId} is null`),
    index('mail_items_of_mail').on(table.mailId),
    index('mail_items_of_event').on(table.eventId),
    index('mail_items_oldest').on(table.createdAt),
  ],
)
