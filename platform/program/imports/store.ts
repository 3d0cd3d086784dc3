import { randomUUID } from 'node:crypto'

import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  max,
  ne,
  notExists,
  or,
  sql,
  sum,
} from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'

import type { ImportState } from '#contract/imports.ts'
import { isUuid } from '#platform/ground/database/is-uuid.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { users } from '#platform/ground/database/tables/identity.ts'
import { importParts, importRuns, imports } from '#platform/ground/database/tables/imports.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'

export type ImportRow = typeof imports.$inferSelect
type NewImport = typeof imports.$inferInsert

const leaseSeconds = 60

export async function insertImport(tx: Database, row: NewImport) {
  await tx.insert(imports).values(row)
}

const withCreator = (db: Database) =>
  db
    .select({ row: imports, creator: { id: users.id, email: users.email, name: users.name } })
    .from(imports)
    .innerJoin(users, eq(users.id, imports.createdBy))

export type ImportWithCreator = Awaited<ReturnType<typeof withCreator>>[number]

/** The id may be any text. */
export async function findImport(db: Database, organizationId: string, id: string) {
  const [found] = await withCreator(db).where(and(eq(imports.organizationId, organizationId), isUuid(imports.id, id)))
  return found ?? null
}

export async function lockImport(tx: Database, id: string) {
  const [row] = await tx.select().from(imports).where(eq(imports.id, id)).for('update')
  return row ?? null
}

export const findStartedImports = (db: Database, organizationId: string, limit: number) =>
  withCreator(db)
    .where(and(eq(imports.organizationId, organizationId), isNotNull(imports.startedAt)))
    .orderBy(desc(imports.createdAt), desc(imports.id))
    .limit(limit)

export async function updateImport(tx: Database, id: string, change: Partial<NewImport>) {
  await tx.update(imports).set(change).where(eq(imports.id, id))
}

export const addMadeVersion = (tx: Database, id: string, fingerprint: string) =>
  tx
    .update(imports)
    .set({ madeVersions: sql`array_append(${imports.madeVersions}, ${fingerprint})` })
    .where(eq(imports.id, id))

/** Imports of a person that were not started, the oldest first. */
export const findWaitingImports = (
  tx: Database,
  { organizationId, createdBy }: Pick<ImportRow, 'organizationId' | 'createdBy'>,
) =>
  tx
    .select({ id: imports.id })
    .from(imports)
    .where(and(eq(imports.organizationId, organizationId), eq(imports.createdBy, createdBy), isNull(imports.startedAt)))
    .orderBy(asc(imports.createdAt), asc(imports.id))

/** Imports that were not started within a day, and files of imports that failed a week ago. */
export const findOutdatedImports = (db: Database) =>
  db
    .select({ id: imports.id, isStarted: sql<boolean>`${imports.startedAt} is not null` })
    .from(imports)
    .where(
      or(
        and(isNull(imports.startedAt), lt(imports.createdAt, sql`now() - interval '1 day'`)),
        and(eq(imports.state, 'failed'), imports.isStaged, lt(imports.endedAt, sql`now() - interval '7 days'`)),
      ),
    )
    .limit(50)

/** The bytes of all files of an organization that are not imported yet. */
export async function sumStagedBytes(tx: Database, organizationId: string) {
  const [found] = await tx
    .select({ bytes: sum(imports.bytes).mapWith(Number) })
    .from(imports)
    .where(and(eq(imports.organizationId, organizationId), imports.isStaged))
  return found?.bytes ?? 0
}

export async function insertPart(tx: Database, part: Omit<typeof importParts.$inferInsert, 'seq'>) {
  const [last] = await tx
    .select({ seq: sql<number>`coalesce(max(${importParts.seq}), 0)` })
    .from(importParts)
    .where(eq(importParts.importId, part.importId))
  await tx.insert(importParts).values({ ...part, seq: (last?.seq ?? 0) + 1 })
}

export const findParts = (db: Database, importId: string) =>
  db.select().from(importParts).where(eq(importParts.importId, importId)).orderBy(asc(importParts.seq))

/** Returns the keys of their blobs, to delete after the commit. */
export async function deleteParts(tx: Database, importId: string) {
  const gone = await tx.delete(importParts).where(eq(importParts.importId, importId)).returning()
  return gone.map(({ blobKey }) => blobKey)
}

export async function deleteImportRow(tx: Database, id: string) {
  await tx.delete(imports).where(eq(imports.id, id))
}

/** The columns that a person chose for the last imported table with the same header. */
export async function findRememberedColumns(db: Database, { id, organizationId }: ImportRow, tableColumns: string) {
  const [found] = await db
    .select({ columns: imports.columns })
    .from(imports)
    .where(
      and(
        eq(imports.organizationId, organizationId),
        eq(imports.tableColumns, tableColumns),
        isNotNull(imports.startedAt),
        isNotNull(imports.columns),
        ne(imports.id, id),
      ),
    )
    .orderBy(desc(imports.startedAt))
    .limit(1)
  return found?.columns ?? null
}

/** Kinds of work, and the states of imports that wait for it. */
const importWork = {
  preview: ['reading'],
  write: ['running', 'undoing'],
} as const satisfies Record<string, readonly ImportState[]>
export type ImportWork = keyof typeof importWork

const leaseEnd = sql`now() + interval '1 second' * ${leaseSeconds}`

const others = alias(imports, 'others')
const isOfSame = eq(others.organizationId, imports.organizationId)

/**
 * Takes an import that waits for a kind of work, with a lease. Others skip it until the lease ends. Each organization has
 * one at a time, and organizations take turns: the one whose last turn was longest ago comes first, with its oldest import.
 */
export async function claimImport(db: Database, work: ImportWork): Promise<ImportRow | null> {
  return db.transaction(async (tx) => {
    const held = tx
      .select()
      .from(others)
      .where(and(isOfSame, inArray(others.state, importWork[work]), gt(others.leaseUntil, sql`now()`)))
    const lastTurn = tx
      .select({ at: max(others.claimedAt) })
      .from(others)
      .where(isOfSame)
    const [found] = await tx
      .select()
      .from(imports)
      .where(
        and(
          inArray(imports.state, importWork[work]),
          or(isNull(imports.leaseUntil), lt(imports.leaseUntil, sql`now()`)),
          notExists(held),
        ),
      )
      .orderBy(sql`(${lastTurn}) asc nulls first`, asc(imports.createdAt), asc(imports.id))
      .limit(1)
      .for('update', { skipLocked: true })
    if (!found) return null
    const leaseToken = randomUUID()
    const lease = { leaseToken, leaseUntil: leaseEnd, claimedAt: sql`now()` }
    await tx.update(imports).set(lease).where(eq(imports.id, found.id))
    return { ...found, leaseToken }
  })
}

const isHeld = ({ id, leaseToken }: ImportRow) => and(eq(imports.id, id), eq(imports.leaseToken, leaseToken ?? ''))

/** Changes the import and renews the lease. Returns false if the lease is lost. */
export async function updateHeld(db: Database, row: ImportRow, change: Partial<NewImport> = {}) {
  const changed = await db
    .update(imports)
    .set({ ...change, leaseUntil: leaseEnd })
    .where(isHeld(row))
    .returning({ id: imports.id })
  return changed.length > 0
}

/** Whether the lease is held, until the transaction ends. */
export async function lockHeld(tx: Database, row: ImportRow) {
  const found = await tx.select({ id: imports.id }).from(imports).where(isHeld(row)).for('update')
  return found.length > 0
}

export const releaseLease = (db: Database, row: ImportRow) =>
  db.update(imports).set({ leaseToken: null, leaseUntil: null }).where(isHeld(row))

/** Only if no other process can hold one. */
export const releaseAllLeases = (db: Database) =>
  db.update(imports).set({ leaseToken: null, leaseUntil: null }).where(isNotNull(imports.leaseToken))

export async function recordRuns(tx: Database, importId: string, runIds: readonly string[]) {
  if (runIds.length > 0) await tx.insert(importRuns).values(runIds.map((runId) => ({ importId, runId })))
}

/** How many runs an import made that an undo has not removed. */
export async function countRuns(db: Database, importId: string) {
  const [found] = await db
    .select({ count: count() })
    .from(importRuns)
    .where(and(eq(importRuns.importId, importId), eq(importRuns.isRemoved, false)))
  return found?.count ?? 0
}

/** The next runs that an undo removes, with their requests. Those that were deleted meanwhile have none. */
export const findNextRuns = (tx: Database, importId: string, limit: number) =>
  tx
    .select({ runId: importRuns.runId, requestId: runs.requestId })
    .from(importRuns)
    .leftJoin(runs, eq(runs.id, importRuns.runId))
    .where(and(eq(importRuns.importId, importId), eq(importRuns.isRemoved, false)))
    .orderBy(asc(importRuns.runId))
    .limit(limit)

const areRuns = (importId: string, runIds: readonly string[]) =>
  and(eq(importRuns.importId, importId), inArray(importRuns.runId, [...runIds]))

export const markRemoved = (tx: Database, importId: string, runIds: readonly string[]) =>
  tx.update(importRuns).set({ isRemoved: true }).where(areRuns(importId, runIds))

export const findRemovedRuns = (db: Database, importId: string, limit: number) =>
  db
    .select({ runId: importRuns.runId })
    .from(importRuns)
    .where(and(eq(importRuns.importId, importId), importRuns.isRemoved))
    .limit(limit)

export const forgetRuns = (db: Database, importId: string, runIds: readonly string[]) =>
  db.delete(importRuns).where(areRuns(importId, runIds))
