import { v7 as newId } from 'uuid'

import type { VerbInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/webhooks.ts'
import { limits } from '#contract/wire/limit.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { isUuidText } from '#platform/ground/database/is-uuid.ts'
import { exhausted, preconditionFailed } from '#platform/ground/failures/failure.ts'
import { testType } from './compose-body.ts'
import {
  countTestsSince,
  enqueueAgain,
  findDelivery,
  insertAttempt,
  insertDelivery,
  markDelivered,
  summarizeAttempts,
} from './delivery-store.ts'
import { showDelivery } from './list-deliveries.ts'
import { keyOf, noSuchDelivery, noSuchWebhook, requireWebhook } from './require-webhook.ts'
import { sendOnce } from './send-once.ts'
import { changeRow, lockWebhook } from './store.ts'
import { toDelivery } from './to-webhook.ts'

/**
 * POST /webhooks/{id}/test: sent once, beside the queue, even to a webhook that is paused. It is recorded before it is
 * sent, so that the limit also counts tests in flight.
 */
export async function testWebhook(
  context: Context,
  { webhookId }: VerbInput<typeof contract.testWebhook>,
): Promise<contract.WebhookDeliveryDetail> {
  const { db, caller, organization } = context
  const key = keyOf(context, webhookId)
  const id = newId()
  const now = await db.transaction(async (tx) => {
    if (!(await lockWebhook(tx, key))) throw noSuchWebhook()
    const at = await clockNow(tx)
    if ((await countTestsSince(tx, webhookId, at)) >= limits.webhookTestsPerMinute)
      throw exhausted('There were many tests in the last minute. Try again in a minute')
    const event = { occurredAt: at, actor: caller.actor, subject: { type: 'webhook', id: webhookId }, payload: {} }
    const told = { type: testType, subjectId: webhookId, actorId: caller.actor.id, event, isTest: true }
    await insertDelivery(tx, { id, webhookId, state: 'failed', createdAt: at, ...told })
    return at
  })
  const row = await requireWebhook(db, key)
  const delivery = await findDelivery(db, webhookId, id)
  if (!delivery) throw noSuchWebhook()
  const { status, fault, response, durationMs } = await sendOnce(context, { ...row, organization, delivery, now })
  const state = fault === null ? 'delivered' : 'failed'
  await db.transaction(async (tx) => {
    if (!(await lockWebhook(tx, key))) throw noSuchWebhook()
    await insertAttempt(tx, { id: newId(), deliveryId: id, at: now, status, fault, response, durationMs })
    if (state === 'delivered') await markDelivered(tx, id, await clockNow(tx))
  })
  return showDelivery(context, row, { ...delivery, state })
}

/** POST /webhooks/{id}/deliveries/{deliveryId}/send: the id stays, so that receivers recognize a repetition. */
export async function sendDeliveryAgain(
  context: Context,
  { webhookId, deliveryId }: VerbInput<typeof contract.sendDeliveryAgain>,
): Promise<contract.WebhookDelivery> {
  const key = keyOf(context, webhookId)
  return context.db.transaction(async (tx) => {
    const webhook = await lockWebhook(tx, key)
    if (!webhook) throw noSuchWebhook()
    if (webhook.stopReason !== null) throw preconditionFailed('The webhook is stopped. Resume it first')
    const delivery = isUuidText(deliveryId) ? await findDelivery(tx, webhookId, deliveryId) : null
    if (!delivery) throw noSuchDelivery()
    if (delivery.isTest) throw preconditionFailed('A test is not sent again. Send another test')
    if (delivery.state !== 'waiting') await enqueueAgain(tx, delivery.id)
    await changeRow(tx, key, { nextTryAt: await clockNow(tx) })
    const summaries = await summarizeAttempts(tx, [delivery.id])
    return toDelivery({ ...delivery, state: 'waiting' }, summaries.get(delivery.id))
  })
}
