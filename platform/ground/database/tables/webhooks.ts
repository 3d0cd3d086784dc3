import { sql } from 'drizzle-orm'
import { bigserial, boolean, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

import type { Actor } from '#contract/identity.ts'
import type { NotificationType } from '#contract/notification-types.ts'
import type { DeliveryState, WebhookKind, WebhookStopReason } from '#contract/webhooks.ts'
import { instant } from '#platform/ground/database/columns.ts'
import { organizationReference, userReference } from './identity.ts'

/**
 * An address that receives the notifications of an organization. `sealed` has its URL and its signing secrets,
 * encrypted with the installation's key `keyId`, because the URL of a chat is a secret too.
 */
export const webhooks = pgTable(
  'webhooks',
  {
    id: uuid().primaryKey(),
    organizationId: organizationReference(),
    name: text().notNull(),
    kind: text().$type<WebhookKind>().notNull(),
    /** The URL without the parts that may be secret. */
    shownUrl: text().notNull(),
    sealed: text().notNull(),
    keyId: text().notNull(),
    /** Null for every type, including future types. */
    types: jsonb().$type<NotificationType[]>(),
    createdBy: userReference(),
    createdAt: instant().notNull(),
    /** Until then deliveries are also signed with the secret before the last rotation. */
    overlapEndsAt: instant(),
    /** Why nothing is sent. */
    stopReason: text().$type<WebhookStopReason>(),
    /** When it was last stopped. Kept after it is resumed. */
    stoppedAt: instant(),
    /** Failed attempts since the last success. */
    failures: integer().notNull().default(0),
    failingSince: instant(),
    nextTryAt: instant().notNull(),
    /** The sender that works on it, until the lease ends. */
    leaseId: uuid(),
    leaseEndsAt: instant(),
  },
  (table) => [index('webhooks_of_organization').on(table.organizationId), index('webhooks_by_key').on(table.keyId)],
)

/** The content of a delivery: copied, because notifications are deleted earlier or have no reader. */
export type DeliveredEvent = {
  occurredAt: string
  actor: Actor | null
  subject: { type: string; id: string }
  payload: Record<string, unknown>
}

/** One event for one webhook. It is sent in the order of `position`. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: uuid().primaryKey(),
    webhookId: uuid()
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    position: bigserial({ mode: 'number' }).notNull(),
    /** Null for a test. */
    eventId: uuid(),
    type: text().notNull(),
    subjectId: text().notNull(),
    actorId: text(),
    event: jsonb().$type<DeliveredEvent>().notNull(),
    isTest: boolean().notNull().default(false),
    state: text().$type<DeliveryState>().notNull(),
    createdAt: instant().notNull(),
    deliveredAt: instant(),
  },
  (table) => [
    uniqueIndex('webhook_deliveries_once').on(table.webhookId, table.eventId),
    index('webhook_deliveries_waiting')
      .on(table.webhookId, table.position)
      .where(sql`${table.state} = 'waiting'`),
    index('webhook_deliveries_newest').on(table.webhookId, table.createdAt, table.id),
    index('webhook_deliveries_oldest').on(table.createdAt),
  ],
)

/** One request to a webhook. */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    id: uuid().primaryKey(),
    deliveryId: uuid()
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: 'cascade' }),
    at: instant().notNull(),
    durationMs: integer().notNull(),
    /** The HTTP status, null without an answer. */
    status: integer(),
    /** Why there was no answer, or why it does not count. */
    fault: text(),
    /** The start of the answer. */
    response: text().notNull(),
  },
  (table) => [index('webhook_attempts_of_delivery').on(table.deliveryId, table.at)],
)
