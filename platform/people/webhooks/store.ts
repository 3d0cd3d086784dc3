import { and, asc, count, eq, inArray, ne, sql } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { organizations, users } from '#platform/ground/database/tables/identity.ts'
import { webhookDeliveries, webhooks } from '#platform/ground/database/tables/webhooks.ts'
import type { Sealed } from '#platform/ground/installation-keys/seal-text.ts'

export type WebhookKey = { organizationId: string; webhookId: string }

const isWebhook = ({ organizationId, webhookId }: WebhookKey) =>
  and(eq(webhooks.organizationId, organizationId), eq(webhooks.id, webhookId))

const selectWebhooks = (db: Database) =>
  db
    .select({ webhook: webhooks, creator: { id: users.id, email: users.email, name: users.name } })
    .from(webhooks)
    .innerJoin(users, eq(users.id, webhooks.createdBy))

export type WebhookRow = Awaited<ReturnType<typeof selectWebhooks>>[number]

export const findWebhooks = (db: Database, organizationId: string) =>
  selectWebhooks(db)
    .where(eq(webhooks.organizationId, organizationId))
    .orderBy(asc(webhooks.createdAt), asc(webhooks.id))

export async function findWebhook(db: Database, key: WebhookKey): Promise<WebhookRow | null> {
  const [row] = await selectWebhooks(db).where(isWebhook(key))
  return row ?? null
}

/** A change and an attempt of the sender run one after the other. */
export async function lockWebhook(tx: Database, key: WebhookKey) {
  const [row] = await tx.select().from(webhooks).where(isWebhook(key)).for('no key update')
  return row ?? null
}

/** Additions of an organization run one after the other, so that their number can be limited. */
export async function countWebhooks(tx: Database, organizationId: string) {
  await tx
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
    .for('no key update')
  const [row] = await tx.select({ total: count() }).from(webhooks).where(eq(webhooks.organizationId, organizationId))
  return row?.total ?? 0
}

export async function countWaiting(db: Database, webhookIds: readonly string[]) {
  if (webhookIds.length === 0) return new Map<string, number>()
  const rows = await db
    .select({ webhookId: webhookDeliveries.webhookId, total: count() })
    .from(webhookDeliveries)
    .where(and(inArray(webhookDeliveries.webhookId, [...webhookIds]), eq(webhookDeliveries.state, 'waiting')))
    .groupBy(webhookDeliveries.webhookId)
  return new Map(rows.map(({ webhookId, total }) => [webhookId, total]))
}

export const insertWebhook = (tx: Database, row: typeof webhooks.$inferInsert) => tx.insert(webhooks).values(row)

export const changeRow = (tx: Database, key: WebhookKey, set: Partial<typeof webhooks.$inferInsert>) =>
  tx.update(webhooks).set(set).where(isWebhook(key))

export const removeWebhook = (tx: Database, key: WebhookKey) => tx.delete(webhooks).where(isWebhook(key))

/** Webhooks of every organization that are encrypted with another key, in a stable order. */
export const findSealedWithOtherKeys = (db: Database, keyId: string, after: string | undefined, limit: number) =>
  db
    .select({ id: webhooks.id, sealed: webhooks.sealed, keyId: webhooks.keyId })
    .from(webhooks)
    .where(and(ne(webhooks.keyId, keyId), after === undefined ? undefined : sql`${webhooks.id} > ${after}::uuid`))
    .orderBy(asc(webhooks.id))
    .limit(limit)

/** Returns false if it was changed meanwhile. */
export async function resealWebhook(db: Database, id: string, before: Sealed, after: Sealed) {
  const changed = await db
    .update(webhooks)
    .set({ sealed: after.sealed, keyId: after.keyId })
    .where(and(eq(webhooks.id, id), eq(webhooks.sealed, before.sealed)))
    .returning({ id: webhooks.id })
  return changed.length > 0
}
