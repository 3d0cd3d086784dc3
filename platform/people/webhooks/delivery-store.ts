import {
  and,
  asc,
  between,
  count,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  notInArray,
  or,
  sql,
} from 'drizzle-orm'

import type { DeliveryState } from '#contract/webhooks.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { webhookAttempts, webhookDeliveries, webhooks } from '#platform/ground/database/tables/webhooks.ts'

export type DeliveryRow = typeof webhookDeliveries.$inferSelect
export type AttemptRow = typeof webhookAttempts.$inferSelect

type Position = readonly [createdAt: string, id: string]
type DeliveryPage = { state?: DeliveryState | undefined; after?: Position | undefined; limit: number }

/** Newest first. */
export const findDeliveries = (db: Database, webhookId: string, { state, after, limit }: DeliveryPage) =>
  db
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.webhookId, webhookId),
        state && eq(webhookDeliveries.state, state),
        after &&
          or(
            lt(webhookDeliveries.createdAt, after[0]),
            and(eq(webhookDeliveries.createdAt, after[0]), gt(webhookDeliveries.id, after[1])),
          ),
      ),
    )
    .orderBy(desc(webhookDeliveries.createdAt), asc(webhookDeliveries.id))
    .limit(limit)

export async function findDelivery(db: Database, webhookId: string, id: string): Promise<DeliveryRow | null> {
  const [row] = await db
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.id, id)))
  return row ?? null
}

/** The number of attempts of each delivery, and the status of the newest. */
export async function summarizeAttempts(db: Database, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, { attempts: number; lastStatus: number | null }>()
  const rows = await db
    .select({
      id: webhookAttempts.deliveryId,
      attempts: count(),
      lastStatus: sql<number | null>`(array_agg(${webhookAttempts.status} order by ${webhookAttempts.at} desc))[1]`,
    })
    .from(webhookAttempts)
    .where(inArray(webhookAttempts.deliveryId, [...ids]))
    .groupBy(webhookAttempts.deliveryId)
  return new Map(rows.map(({ id, ...summary }) => [id, summary]))
}

export const findAttempts = (db: Database, deliveryId: string, limit: number) =>
  db
    .select()
    .from(webhookAttempts)
    .where(eq(webhookAttempts.deliveryId, deliveryId))
    .orderBy(desc(webhookAttempts.at))
    .limit(limit)

/** The delivery to send next. */
export async function findNextDelivery(db: Database, webhookId: string): Promise<DeliveryRow | null> {
  const [row] = await db
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.state, 'waiting')))
    .orderBy(asc(webhookDeliveries.position))
    .limit(1)
  return row ?? null
}

export const insertAttempt = (tx: Database, attempt: typeof webhookAttempts.$inferInsert) =>
  tx.insert(webhookAttempts).values(attempt)

export const insertDelivery = (tx: Database, delivery: Omit<typeof webhookDeliveries.$inferInsert, 'position'>) =>
  tx.insert(webhookDeliveries).values(delivery)

export const markDelivered = (tx: Database, id: string, at: string) =>
  tx.update(webhookDeliveries).set({ state: 'delivered', deliveredAt: at }).where(eq(webhookDeliveries.id, id))

/** Nothing more is sent of it, unless a person sends it again. */
export const markFailed = (tx: Database, id: string) =>
  tx.update(webhookDeliveries).set({ state: 'failed' }).where(eq(webhookDeliveries.id, id))

/** Answers that say that the receiver is moved, locked, away or overloaded, and nothing about the delivery. */
const otherAnswers = [401, 404, 408, 410, 425, 429]

/** Whether a receiver that answers so refuses the delivery. */
export const isRefusal = (status: number | null) =>
  status !== null && status >= 400 && status < 500 && !otherAnswers.includes(status)

/** How often the delivery was refused in the last day, and when first. */
export async function findRefusals(tx: Database, deliveryId: string) {
  const [row] = await tx
    .select({ refusals: count(), firstAt: sql<string | null>`min(${webhookAttempts.at})::text` })
    .from(webhookAttempts)
    .where(
      and(
        eq(webhookAttempts.deliveryId, deliveryId),
        between(webhookAttempts.status, 400, 499),
        notInArray(webhookAttempts.status, otherAnswers),
        gt(webhookAttempts.at, sql`clock_timestamp() - interval '1 day'`),
      ),
    )
  return row ?? { refusals: 0, firstAt: null }
}

/** Puts a delivery at the end of the queue. */
export const enqueueAgain = (tx: Database, id: string) =>
  tx
    .update(webhookDeliveries)
    .set({ state: 'waiting', position: sql`nextval(pg_get_serial_sequence('webhook_deliveries', 'position'))` })
    .where(eq(webhookDeliveries.id, id))

export const countTestsSince = (tx: Database, webhookId: string, now: string) =>
  tx.$count(
    webhookDeliveries,
    and(
      eq(webhookDeliveries.webhookId, webhookId),
      eq(webhookDeliveries.isTest, true),
      gt(webhookDeliveries.createdAt, sql`${now}::timestamptz - interval '1 minute'`),
    ),
  )

/**
 * How many deliveries wait that are newer than the webhook's last stop. Those from before it do not count, so that a
 * full webhook can be resumed.
 */
export async function countNewlyWaiting(db: Database, webhookId: string) {
  const [row] = await db
    .select({ total: count() })
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .where(
      and(
        eq(webhookDeliveries.webhookId, webhookId),
        eq(webhookDeliveries.state, 'waiting'),
        or(isNull(webhooks.stoppedAt), gt(webhookDeliveries.createdAt, webhooks.stoppedAt)),
      ),
    )
  return row?.total ?? 0
}

/** Deletes some of the deliveries that are older than these days, but none that a running webhook still owes. */
export async function removeOldDeliveries(db: Database, days: number, limit: number, organizationId?: string) {
  const old = db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .where(
      and(
        lt(webhookDeliveries.createdAt, sql`clock_timestamp() - make_interval(days => ${days})`),
        or(ne(webhookDeliveries.state, 'waiting'), isNotNull(webhooks.stopReason)),
        organizationId === undefined ? undefined : eq(webhooks.organizationId, organizationId),
      ),
    )
    .limit(limit)
  const removed = await db
    .delete(webhookDeliveries)
    .where(inArray(webhookDeliveries.id, old))
    .returning({ id: webhookDeliveries.id })
  return removed.length
}
