import { and, asc, eq, gt, inArray, lte, ne, sql } from 'drizzle-orm'

import type { RetentionCounts, RetentionRules, RetentionSweep } from '#contract/retention.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { runChanges } from '#platform/ground/database/tables/changes.ts'
import { experiments } from '#platform/ground/database/tables/experiments.ts'
import {
  removedBlobs,
  retentionGraces,
  retentionPolicies,
  runRemovals,
} from '#platform/ground/database/tables/retention.ts'
import { runs, transcriptSegments } from '#platform/ground/database/tables/runs.ts'

export type PolicyRow = typeof retentionPolicies.$inferSelect
export type RemovalRow = typeof runRemovals.$inferSelect

/** Null for an organization that never set any rules. */
export async function findPolicy(db: Database, organizationId: string): Promise<PolicyRow | null> {
  const [row] = await db.select().from(retentionPolicies).where(eq(retentionPolicies.organizationId, organizationId))
  return row ?? null
}

/** Those of the ids that are experiments of the organization. */
export async function findExperimentIds(db: Database, organizationId: string, ids: readonly string[]) {
  const found = await db
    .select({ id: experiments.id })
    .from(experiments)
    .where(and(eq(experiments.organizationId, organizationId), inArray(experiments.id, [...ids])))
  return new Set(found.map(({ id }) => id))
}

type Change = {
  organizationId: string
  rules: RetentionRules
  updatedAt: string
  removesFrom: string
  expectedUpdatedAt: string | null
}

/**
 * Writes nothing and returns null if the rules have changed since `expectedUpdatedAt`. If that is null, no rules may exist yet.
 */
export async function replacePolicy(
  tx: Database,
  { organizationId, expectedUpdatedAt, ...values }: Change,
): Promise<PolicyRow | null> {
  if (expectedUpdatedAt === null) {
    const inserting = tx.insert(retentionPolicies).values({ organizationId, ...values })
    const [inserted] = await inserting.onConflictDoNothing().returning()
    return inserted ?? null
  }
  const [updated] = await tx
    .update(retentionPolicies)
    .set(values)
    .where(
      and(
        eq(retentionPolicies.organizationId, organizationId),
        sql`${retentionPolicies.updatedAt} = ${expectedUpdatedAt}::timestamptz`,
      ),
    )
    .returning()
  return updated ?? null
}

/** The policies that may remove something now. */
export const findDuePolicies = (db: Database) =>
  db
    .select({ organizationId: retentionPolicies.organizationId })
    .from(retentionPolicies)
    .where(lte(retentionPolicies.removesFrom, sql`clock_timestamp()`))
    .orderBy(asc(retentionPolicies.organizationId))

/**
 * The policy, locked until the transaction ends: no two servers remove for an organization at once, and nobody changes
 * its rules meanwhile. Null if another transaction has it, if there are no rules, or if they remove nothing yet.
 */
export async function claimPolicy(tx: Database, organizationId: string): Promise<PolicyRow | null> {
  const [row] = await tx
    .select()
    .from(retentionPolicies)
    .where(
      and(
        eq(retentionPolicies.organizationId, organizationId),
        lte(retentionPolicies.removesFrom, sql`clock_timestamp()`),
      ),
    )
    .for('update', { skipLocked: true })
  return row ?? null
}

type Progress = { sweep: RetentionCounts | null; lastSweep?: RetentionSweep }

export async function updateProgress(tx: Database, organizationId: string, progress: Progress) {
  await tx.update(retentionPolicies).set(progress).where(eq(retentionPolicies.organizationId, organizationId))
}

/** Returns false if changed rules are not waiting. */
export async function endGrace(db: Database, organizationId: string): Promise<boolean> {
  const ended = await db
    .update(retentionPolicies)
    .set({ removesFrom: sql`clock_timestamp()` })
    .where(
      and(
        eq(retentionPolicies.organizationId, organizationId),
        gt(retentionPolicies.removesFrom, sql`clock_timestamp()`),
      ),
    )
    .returning({ organizationId: retentionPolicies.organizationId })
  return ended.length > 0
}

/** Of runs and experiments that lost a reason to be kept, and can be removed now. */
export const deleteEndedGraces = (db: Database) =>
  db.delete(retentionGraces).where(lte(retentionGraces.endsAt, sql`clock_timestamp()`))

/** A run that was removed in part may be removed again, after a later attempt to store that part. */
export async function insertRemovals(tx: Database, rows: readonly (typeof runRemovals.$inferInsert)[]) {
  if (rows.length === 0) return
  await tx
    .insert(runRemovals)
    .values([...rows])
    .onConflictDoUpdate({
      target: [runRemovals.runId, runRemovals.kind],
      set: {
        removedAt: sql`excluded.removed_at`,
        keptDays: sql`excluded.kept_days`,
        inAnalytics: sql`true`,
      },
    })
}

/** Of runs that are removed whole: if one is imported again, it has all its parts. */
export const forgetRemovedParts = (tx: Database, runIds: readonly string[]) =>
  tx.delete(runRemovals).where(and(inArray(runRemovals.runId, [...runIds]), ne(runRemovals.kind, 'runs')))

export const findOrganizationsInAnalytics = (db: Database) =>
  db
    .selectDistinct({ organizationId: runRemovals.organizationId })
    .from(runRemovals)
    .where(eq(runRemovals.inAnalytics, true))

export const findInAnalytics = (db: Database, organizationId: string, limit: number): Promise<RemovalRow[]> =>
  db
    .select()
    .from(runRemovals)
    .where(and(eq(runRemovals.organizationId, organizationId), eq(runRemovals.inAnalytics, true)))
    .orderBy(asc(runRemovals.runId))
    .limit(limit)

export async function markGone(tx: Database, removals: readonly RemovalRow[]) {
  for (const [kind, ofKind] of Map.groupBy(removals, (removal) => removal.kind)) {
    const ids = ofKind.map(({ runId }) => runId)
    await tx
      .update(runRemovals)
      .set({ inAnalytics: false })
      .where(and(eq(runRemovals.kind, kind), inArray(runRemovals.runId, ids)))
  }
}

const keysPerStatement = 5000

export async function insertRemovedBlobs(tx: Database, keys: readonly string[]) {
  for (let start = 0; start < keys.length; start += keysPerStatement) {
    const rows = keys.slice(start, start + keysPerStatement).map((key) => ({ key }))
    await tx.insert(removedBlobs).values(rows).onConflictDoNothing()
  }
}

const runOfKey = sql`split_part(removed_blobs.key, '/', 2)::uuid`

/** The run was imported again, and its blobs have the same keys. */
const isUsed = sql<boolean>`(exists (select 1 from ${transcriptSegments} as segment
    where segment.run_id = ${runOfKey} and segment.blob_key = removed_blobs.key)
  or removed_blobs.key like 'changes/%' and exists (select 1 from ${runChanges} as change
    where change.run_id = ${runOfKey}))`

/** Those of the runs that exist, maybe again. */
export async function findExistingRuns(db: Database, runIds: readonly string[]) {
  const found = await db
    .select({ id: runs.id })
    .from(runs)
    .where(inArray(runs.id, [...runIds]))
  return found.map(({ id }) => id)
}

/** Without those that another server is deleting. */
export const lockRemovedBlobs = (tx: Database, after: string, limit: number) =>
  tx
    .select({ key: removedBlobs.key, isUsed })
    .from(removedBlobs)
    .where(gt(removedBlobs.key, after))
    .orderBy(asc(removedBlobs.key))
    .limit(limit)
    .for('update', { skipLocked: true })

export const forgetRemovedBlobs = (db: Database, keys: readonly string[]) =>
  db.delete(removedBlobs).where(inArray(removedBlobs.key, [...keys]))
