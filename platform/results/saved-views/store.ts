import { and, asc, count, eq, or, sql } from 'drizzle-orm'

import type { SavedViewPage } from '#contract/saved-views.ts'
import { lockNamed } from '#platform/ground/database/lock-named.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { users } from '#platform/ground/database/tables/identity.ts'
import { defaultViews, favoriteViews, savedViews } from '#platform/ground/database/tables/saved-views.ts'

/** Whose views are read. Without a user only shared views are visible. */
export type Reader = { organizationId: string; userId: string | null }

type ViewFilter = { page?: SavedViewPage | undefined; experimentId?: string | undefined }

const nobody = '00000000-0000-0000-0000-000000000000'

const selectViews = (db: Database, { userId }: Reader) =>
  db
    .select({
      view: savedViews,
      creator: { id: users.id, email: users.email, name: users.name },
      isFavorite: sql<boolean>`${favoriteViews.viewId} is not null`,
      isDefault: sql<boolean>`${defaultViews.viewId} is not null`,
    })
    .from(savedViews)
    .innerJoin(users, eq(users.id, savedViews.createdBy))
    .leftJoin(favoriteViews, and(eq(favoriteViews.viewId, savedViews.id), eq(favoriteViews.userId, userId ?? nobody)))
    .leftJoin(defaultViews, and(eq(defaultViews.viewId, savedViews.id), eq(defaultViews.userId, userId ?? nobody)))

export type ViewRow = Awaited<ReturnType<typeof selectViews>>[number]

const isVisible = ({ organizationId, userId }: Reader) =>
  and(
    eq(savedViews.organizationId, organizationId),
    or(eq(savedViews.isShared, true), eq(savedViews.createdBy, userId ?? nobody)),
  )

/** By name, then by id. */
export const findViews = (
  db: Database,
  reader: Reader,
  { page, experimentId }: ViewFilter,
  { after, limit }: { after?: readonly [name: string, id: string] | undefined; limit: number },
) =>
  selectViews(db, reader)
    .where(
      and(
        isVisible(reader),
        page && eq(savedViews.page, page),
        experimentId === undefined ? undefined : eq(savedViews.experimentId, experimentId),
        after && sql`(${savedViews.name}, ${savedViews.id}) > (${after[0]}, ${after[1]}::uuid)`,
      ),
    )
    .orderBy(asc(savedViews.name), asc(savedViews.id))
    .limit(limit)

export async function findView(db: Database, reader: Reader, viewId: string): Promise<ViewRow | null> {
  const [row] = await selectViews(db, reader).where(and(isVisible(reader), eq(savedViews.id, viewId)))
  return row ?? null
}

export async function countViewsOf(tx: Database, organizationId: string, userId: string): Promise<number> {
  const [row] = await tx
    .select({ views: count() })
    .from(savedViews)
    .where(and(eq(savedViews.organizationId, organizationId), eq(savedViews.createdBy, userId)))
  return row?.views ?? 0
}

/** False if the person has a view of that name on that page. */
export async function insertView(tx: Database, view: typeof savedViews.$inferInsert): Promise<boolean> {
  return (await tx.insert(savedViews).values(view).onConflictDoNothing().returning({ id: savedViews.id })).length > 0
}

type ViewChange = Partial<Pick<ViewRow['view'], 'name' | 'query' | 'isShared'>> & { updatedAt: string }

export async function changeView(tx: Database, viewId: string, change: ViewChange) {
  await tx.update(savedViews).set(change).where(eq(savedViews.id, viewId))
}

/** Whether another view of the same person on the same page has the name. */
export async function isNameTaken(tx: Database, { view }: ViewRow, name: string): Promise<boolean> {
  const [other] = await tx
    .select({ id: savedViews.id })
    .from(savedViews)
    .where(
      and(
        eq(savedViews.organizationId, view.organizationId),
        eq(savedViews.createdBy, view.createdBy),
        eq(savedViews.page, view.page),
        eq(savedViews.experimentId, view.experimentId),
        eq(savedViews.name, name),
        sql`${savedViews.id} <> ${view.id}`,
      ),
    )
  return other !== undefined
}

/** One writer at a time in an organization, so that names, limits and marks hold while views change or end. */
export async function lockViews(tx: Database, organizationId: string) {
  await lockNamed(tx, 'saved views', organizationId)
}

export async function removeView(tx: Database, viewId: string) {
  await tx.delete(savedViews).where(eq(savedViews.id, viewId))
}

export async function setFavorite(tx: Database, mark: { viewId: string; userId: string }, isFavorite: boolean) {
  if (isFavorite) await tx.insert(favoriteViews).values(mark).onConflictDoNothing()
  else
    await tx
      .delete(favoriteViews)
      .where(and(eq(favoriteViews.viewId, mark.viewId), eq(favoriteViews.userId, mark.userId)))
}

/** The view takes the place of the page's default before it. */
export async function setDefault(tx: Database, { view }: ViewRow, userId: string, isDefault: boolean) {
  const { organizationId, page, experimentId, id: viewId } = view
  if (isDefault)
    await tx
      .insert(defaultViews)
      .values({ organizationId, userId, page, experimentId, viewId })
      .onConflictDoUpdate({
        target: [defaultViews.organizationId, defaultViews.userId, defaultViews.page, defaultViews.experimentId],
        set: { viewId },
      })
  else await tx.delete(defaultViews).where(and(eq(defaultViews.viewId, viewId), eq(defaultViews.userId, userId)))
}
