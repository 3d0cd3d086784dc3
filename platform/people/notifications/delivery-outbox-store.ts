import { and, eq, gt, isNull, notExists, or, sql } from 'drizzle-orm'

import type { NotificationType } from '#contract/notification-types.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { type DeliveredEvent, webhookDeliveries, webhooks } from '#platform/ground/database/tables/webhooks.ts'

export type NewsForWebhooks = {
  /** Null for every organization. */
  organizationId: string | null
  eventId: string
  type: NotificationType
  event: DeliveredEvent
  /** Leaves out webhooks with a delivery of the same type, subject and actor from the last so many seconds. */
  quietSeconds?: number | undefined
}

const wants = (organizationId: string | null, type: NotificationType) =>
  and(
    organizationId === null ? undefined : eq(webhooks.organizationId, organizationId),
    isNull(webhooks.stopReason),
    or(isNull(webhooks.types), sql`${webhooks.types} @> ${JSON.stringify([type])}::jsonb`),
  )

type Question = Pick<NewsForWebhooks, 'organizationId' | 'type' | 'quietSeconds'> & {
  event: Pick<DeliveredEvent, 'subject' | 'actor'>
}

/** True for webhooks without a delivery of the same type, subject and actor from the last seconds. */
function isQuiet(tx: Database, { type, event, quietSeconds }: Question) {
  if (quietSeconds === undefined) return undefined
  const similar = and(
    eq(webhookDeliveries.webhookId, webhooks.id),
    eq(webhookDeliveries.type, type),
    eq(webhookDeliveries.subjectId, event.subject.id),
    sql`${webhookDeliveries.actorId} is not distinct from ${event.actor?.id ?? null}`,
    gt(webhookDeliveries.createdAt, sql`clock_timestamp() - make_interval(secs => ${quietSeconds})`),
  )
  return notExists(
    tx
      .select({ one: sql`1` })
      .from(webhookDeliveries)
      .where(similar),
  )
}

/** The row locks keep a webhook from being deleted before its delivery is written. */
export async function findInterested(tx: Database, question: Question) {
  const found = await tx
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(and(wants(question.organizationId, question.type), isQuiet(tx, question)))
    .orderBy(webhooks.id)
    .for('key share')
  return found.map(({ id }) => id)
}

/** A PostgreSQL statement has at most 65,535 parameters, and a row has ten. */
const rowsPerStatement = 2000

export async function insertDeliveries(
  tx: Database,
  deliveries: readonly { id: string; webhookId: string }[],
  { eventId, type, event }: NewsForWebhooks,
) {
  const told = { eventId, type, subjectId: event.subject.id, actorId: event.actor?.id ?? null, event }
  for (let from = 0; from < deliveries.length; from += rowsPerStatement)
    await tx
      .insert(webhookDeliveries)
      .values(
        deliveries
          .slice(from, from + rowsPerStatement)
          .map((ids) => ({ ...ids, ...told, state: 'waiting' as const, createdAt: event.occurredAt })),
      )
      .onConflictDoNothing({ target: [webhookDeliveries.webhookId, webhookDeliveries.eventId] })
}
