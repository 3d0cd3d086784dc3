import { z } from 'zod'

import type { VerbInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/webhooks.ts'
import { limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { cutPage, readPageToken } from '#platform/ground/routes/page-token.ts'
import { isUuidText } from '#platform/ground/database/is-uuid.ts'
import { type DeliveryRow, findAttempts, findDeliveries, findDelivery, summarizeAttempts } from './delivery-store.ts'
import { keyOf, noSuchDelivery, requireWebhook } from './require-webhook.ts'
import { bodyOf } from './send-once.ts'
import type { WebhookRow } from './store.ts'
import { toAttempt, toDelivery } from './to-webhook.ts'

const position = z.tuple([Timestamp, z.uuid()])

/** GET /webhooks/{id}/deliveries. */
export async function listDeliveries(
  context: Context,
  { webhookId, state, pageSize, pageToken }: VerbInput<typeof contract.listDeliveries>,
): Promise<contract.WebhookDeliveryList> {
  const { db } = context
  const { webhook } = await requireWebhook(db, keyOf(context, webhookId))
  const limit = pageSize ?? limits.webhookDeliveries.default
  const listKey = ['webhook-deliveries', webhook.id, state] as const
  const after = readPageToken(pageToken, position, listKey)
  const rows = await findDeliveries(db, webhook.id, { state, after, limit: limit + 1 })
  const { shown, ...next } = cutPage(rows, limit, listKey, ({ createdAt, id }) => [createdAt, id])
  const summaries = await summarizeAttempts(
    db,
    shown.map(({ id }) => id),
  )
  return { deliveries: shown.map((row) => toDelivery(row, summaries.get(row.id))), ...next }
}

/** GET /webhooks/{id}/deliveries/{deliveryId}. */
export async function getDelivery(
  context: Context,
  { webhookId, deliveryId }: VerbInput<typeof contract.getDelivery>,
): Promise<contract.WebhookDeliveryDetail> {
  const row = await requireWebhook(context.db, keyOf(context, webhookId))
  const delivery = isUuidText(deliveryId) ? await findDelivery(context.db, row.webhook.id, deliveryId) : null
  if (!delivery) throw noSuchDelivery()
  return showDelivery(context, row, delivery)
}

/** With its body and the newest attempts. */
export async function showDelivery(
  context: Context,
  { webhook }: WebhookRow,
  delivery: DeliveryRow,
): Promise<contract.WebhookDeliveryDetail> {
  const { db, organization } = context
  const summaries = await summarizeAttempts(db, [delivery.id])
  const attempts = await findAttempts(db, delivery.id, limits.webhookAttempts)
  return {
    delivery: toDelivery(delivery, summaries.get(delivery.id)),
    body: bodyOf(context, { webhook, organization, delivery }),
    attempts: attempts.map(toAttempt),
  }
}
