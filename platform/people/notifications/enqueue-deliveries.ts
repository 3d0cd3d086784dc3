import { v7 as newId } from 'uuid'

import type { Database } from '#platform/ground/database/open-database.ts'
import { findInterested, insertDeliveries, type NewsForWebhooks } from './delivery-outbox-store.ts'

/** Whether a webhook would get a delivery of this event. */
export const isWanted = async (...question: Parameters<typeof findInterested>) =>
  (await findInterested(...question)).length > 0

/**
 * Puts an event in the queue of every webhook that wants it, in the transaction of the event. The caller holds the lock
 * of the organization's notifications, so positions are in the order of commits.
 */
export async function enqueueDeliveries(tx: Database, news: NewsForWebhooks) {
  const wanted = await findInterested(tx, news)
  await insertDeliveries(
    tx,
    wanted.map((webhookId) => ({ id: newId(), webhookId })),
    news,
  )
}
