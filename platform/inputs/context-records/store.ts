import { and, asc, eq } from 'drizzle-orm'

import type { ContextFields, ContextKind } from '#contract/context-kinds.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { contextRecords } from '#platform/ground/database/tables/context-records.ts'

export type RecordKey = { organizationId: string; kind: ContextKind; targetId: string }

const isRecord = ({ organizationId, kind, targetId }: RecordKey) =>
  and(eq(contextRecords.organizationId, organizationId), eq(contextRecords.kind, kind), eq(contextRecords.id, targetId))

export async function findRecord(db: Database, key: RecordKey) {
  const [row] = await db.select().from(contextRecords).where(isRecord(key))
  return row ?? null
}

/** Locks the record until the transaction ends. */
export async function lockRecord(tx: Database, key: RecordKey) {
  const [row] = await tx.select().from(contextRecords).where(isRecord(key)).for('update')
  return row ?? null
}

export const countRecords = (db: Database, organizationId: string) =>
  db.$count(contextRecords, eq(contextRecords.organizationId, organizationId))

/** By kind and id. */
export const findRecords = (db: Database, organizationId: string) =>
  db
    .select()
    .from(contextRecords)
    .where(eq(contextRecords.organizationId, organizationId))
    .orderBy(asc(contextRecords.kind), asc(contextRecords.id))

/** Returns false when the record exists. */
export async function insertRecord(
  tx: Database,
  { organizationId, kind, targetId }: RecordKey,
  fields: ContextFields,
  now: string,
) {
  const inserted = await tx
    .insert(contextRecords)
    .values({ organizationId, kind, id: targetId, revision: 1, fields, createdAt: now, updatedAt: now })
    .onConflictDoNothing()
    .returning({ id: contextRecords.id })
  return inserted.length > 0
}

export const changeRecord = (
  tx: Database,
  key: RecordKey,
  change: { fields: ContextFields; revision: number; updatedAt: string },
) => tx.update(contextRecords).set(change).where(isRecord(key))
