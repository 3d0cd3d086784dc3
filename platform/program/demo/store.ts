import { and, asc, eq, inArray } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { capturedTests } from '#platform/ground/database/tables/captured-tests.ts'
import { demoItems } from '#platform/ground/database/tables/demo.ts'
import { users } from '#platform/ground/database/tables/identity.ts'
import { runRequests, runs } from '#platform/ground/database/tables/runs.ts'

const unfinished = ['queued', 'waiting_for_ci', 'running'] as const

export type DemoItem = typeof demoItems.$inferSelect
export type ItemKey = Pick<DemoItem, 'organizationId' | 'kind' | 'name'>

const isItem = ({ organizationId, kind, name }: ItemKey) =>
  and(eq(demoItems.organizationId, organizationId), eq(demoItems.kind, kind), eq(demoItems.name, name))

export const findItems = (db: Database, organizationId: string) =>
  db
    .select()
    .from(demoItems)
    .where(eq(demoItems.organizationId, organizationId))
    .orderBy(asc(demoItems.kind), asc(demoItems.name))

export async function findItem(db: Database, key: ItemKey) {
  const [item] = await db.select().from(demoItems).where(isItem(key))
  return item ?? null
}

/** Returns false if the item is recorded already. */
export async function insertItem(tx: Database, item: DemoItem) {
  const inserted = await tx.insert(demoItems).values(item).onConflictDoNothing().returning({ name: demoItems.name })
  return inserted.length > 0
}

export const updateItem = (tx: Database, key: ItemKey, change: Pick<DemoItem, 'itemId' | 'state'>) =>
  tx.update(demoItems).set(change).where(isItem(key))

export const deleteItems = (tx: Database, organizationId: string) =>
  tx.delete(demoItems).where(eq(demoItems.organizationId, organizationId))

export async function findRequestWithRuns(db: Database, requestId: string) {
  const [request] = await db.select().from(runRequests).where(eq(runRequests.id, requestId))
  if (!request) throw new Error(`The request ${requestId} does not exist`)
  const found = await db.select().from(runs).where(eq(runs.requestId, requestId)).orderBy(asc(runs.id))
  const ids = found.map(({ id }) => id)
  const tests = await db
    .select()
    .from(capturedTests)
    .where(inArray(capturedTests.runId, ids))
    .orderBy(asc(capturedTests.runId), asc(capturedTests.ordinal))
  return { request, runs: found, testsOf: Map.groupBy(tests, ({ runId }) => runId) }
}

export async function findPerson(db: Database, email: string) {
  const [person] = await db
    .select({ id: users.id, email: users.email, name: users.name })
    .from(users)
    .where(eq(users.email, email))
  return person ?? null
}

export const hasUnfinishedRuns = async (db: Database, requestIds: readonly string[]) =>
  (await db.$count(runs, and(inArray(runs.requestId, [...requestIds]), inArray(runs.status, [...unfinished])))) > 0
