import { and, desc, eq, getTableColumns, like, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'

import { likePattern } from '#platform/ground/database/like-pattern.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { users } from '#platform/ground/database/tables/identity.ts'
import { publications } from '#platform/ground/database/tables/publications.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'
import { insights } from '#platform/ground/database/tables/insights.ts'

/** A saved query of an organization by its id or slug. The two forms never overlap. */
export type InsightKey = { organizationId: string; reference: string }

type InsightPosition = { createdAt: string; id: string }

export type InsightFilter = {
  organizationId: string
  search?: string | undefined
  ownerId?: string | undefined
  experimentId?: string | undefined
  runId?: string | undefined
  label?: string | undefined
}

const updaters = alias(users, 'updaters')

const isInsight = ({ organizationId, reference }: InsightKey) =>
  and(
    eq(insights.organizationId, organizationId),
    eq(reference.startsWith('ins_') ? insights.id : insights.slug, reference),
  )

const selectInsights = (db: Database) =>
  db
    .select({
      insight: getTableColumns(insights),
      owner: { id: users.id, email: users.email, name: users.name },
      updatedBy: { id: updaters.id, email: updaters.email, name: updaters.name },
      publishedAt: publications.publishedAt,
      runUuid: runs.id,
    })
    .from(insights)
    .innerJoin(users, eq(users.id, insights.ownerId))
    .innerJoin(updaters, eq(updaters.id, insights.updatedBy))
    .leftJoin(runs, and(eq(runs.organizationId, insights.organizationId), eq(runs.compositeId, insights.runId)))
    .leftJoin(publications, eq(publications.insightId, insights.id))

export type InsightRow = Awaited<ReturnType<typeof selectInsights>>[number]

const isFound = (search: string) => {
  const pattern = likePattern(search)
  const places = [
    insights.slug,
    insights.heading,
    insights.description,
    users.name,
    users.email,
    sql`${users.id}::text`,
  ]
  return or(...places.map((place) => sql`${place} ilike ${pattern}`))
}

const conditionsOf = (filter: InsightFilter): (SQL | undefined)[] => [
  eq(insights.organizationId, filter.organizationId),
  filter.search ? isFound(filter.search) : undefined,
  filter.ownerId ? sql`${insights.ownerId}::text = lower(${filter.ownerId})` : undefined,
  filter.experimentId ? eq(insights.experimentId, filter.experimentId) : undefined,
  filter.runId ? eq(insights.runId, filter.runId) : undefined,
  filter.label ? sql`jsonb_exists(${insights.labels}, ${filter.label})` : undefined,
]

/** Newest first. Unlike the change time, the creation time never changes, so pages neither repeat nor skip. */
export const findInsights = (
  db: Database,
  filter: InsightFilter,
  { after, limit }: { after: InsightPosition | undefined; limit: number },
) =>
  selectInsights(db)
    .where(
      and(
        ...conditionsOf(filter),
        after && sql`(${insights.createdAt}, ${insights.id}) < (${after.createdAt}::timestamptz, ${after.id})`,
      ),
    )
    .orderBy(desc(insights.createdAt), desc(insights.id))
    .limit(limit)

export async function findInsight(db: Database, key: InsightKey): Promise<InsightRow | null> {
  const [row] = await selectInsights(db).where(isInsight(key))
  return row ?? null
}

/** Locks the row until the transaction ends. */
export async function lockInsight(tx: Database, key: InsightKey) {
  const [row] = await tx.select().from(insights).where(isInsight(key)).for('update')
  return row ?? null
}

/** Returns false when the slug is in use. */
export async function insertInsight(db: Database, insight: typeof insights.$inferInsert) {
  const inserted = await db
    .insert(insights)
    .values(insight)
    .onConflictDoNothing({ target: [insights.organizationId, insights.slug] })
    .returning({ id: insights.id })
  return inserted.length > 0
}

/** Returns false when the insight no longer exists. */
export async function changeInsight(db: Database, id: string, change: Partial<typeof insights.$inferInsert>) {
  const changed = await db.update(insights).set(change).where(eq(insights.id, id)).returning({ id: insights.id })
  return changed.length > 0
}

/** Also deletes its publication. Returns false when there is no such insight. */
export async function removeInsight(db: Database, id: string) {
  const removed = await db.delete(insights).where(eq(insights.id, id)).returning({ id: insights.id })
  return removed.length > 0
}

/** The slug itself, and slugs that start with it and a hyphen. */
export async function findTakenSlugs(db: Database, organizationId: string, slug: string) {
  const rows = await db
    .select({ slug: insights.slug })
    .from(insights)
    .where(
      and(eq(insights.organizationId, organizationId), or(eq(insights.slug, slug), like(insights.slug, `${slug}-%`))),
    )
  return new Set(rows.map((row) => row.slug))
}
