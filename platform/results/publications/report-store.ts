import { and, count, eq, getTableColumns } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { organizations, users } from '#platform/ground/database/tables/identity.ts'
import { reportPublicationImages, reportPublications } from '#platform/ground/database/tables/publications.ts'

const { document, ...withoutDocument } = getTableColumns(reportPublications)

export async function findReportPublication(db: Database, reportId: string) {
  const [row] = await db
    .select({ ...withoutDocument, publisher: { id: users.id, name: users.name } })
    .from(reportPublications)
    .innerJoin(users, eq(users.id, reportPublications.publishedBy))
    .where(eq(reportPublications.reportId, reportId))
  return row ?? null
}

export async function findRowByToken(db: Database, tokenHash: string) {
  const [row] = await db
    .select({ ...withoutDocument, organizationName: organizations.name })
    .from(reportPublications)
    .innerJoin(organizations, eq(organizations.id, reportPublications.organizationId))
    .where(eq(reportPublications.tokenHash, tokenHash))
  return row ?? null
}

/** The drawn page, apart from the rest because it is large. */
export async function findDocument(db: Database, publicationId: string): Promise<string | null> {
  const [row] = await db.select({ document }).from(reportPublications).where(eq(reportPublications.id, publicationId))
  return row?.document ?? null
}

export async function findPublishedImageId(db: Database, publicationId: string, position: number) {
  const [row] = await db
    .select({ imageId: reportPublicationImages.imageId })
    .from(reportPublicationImages)
    .where(
      and(eq(reportPublicationImages.publicationId, publicationId), eq(reportPublicationImages.position, position)),
    )
  return row?.imageId ?? null
}

export async function countReportPublications(tx: Database, organizationId: string) {
  const [row] = await tx
    .select({ reports: count() })
    .from(reportPublications)
    .where(eq(reportPublications.organizationId, organizationId))
  return row?.reports ?? 0
}

export const insertReportPublication = (tx: Database, row: typeof reportPublications.$inferInsert) =>
  tx.insert(reportPublications).values(row)

type Frozen = Pick<
  typeof reportPublications.$inferInsert,
  'title' | 'description' | 'author' | 'document' | 'version' | 'publishedBy' | 'publishedAt'
>

export const updateReportPublication = (tx: Database, id: string, frozen: Frozen) =>
  tx.update(reportPublications).set(frozen).where(eq(reportPublications.id, id))

export async function replacePublishedImages(tx: Database, publicationId: string, imageIds: readonly string[]) {
  await tx.delete(reportPublicationImages).where(eq(reportPublicationImages.publicationId, publicationId))
  if (imageIds.length > 0)
    await tx
      .insert(reportPublicationImages)
      .values(imageIds.map((imageId, position) => ({ publicationId, position, imageId })))
}

/** Returns the id of the deleted publication, or null if there was none. */
export async function removeReportPublication(tx: Database, reportId: string): Promise<string | null> {
  const [row] = await tx
    .delete(reportPublications)
    .where(eq(reportPublications.reportId, reportId))
    .returning({ id: reportPublications.id })
  return row?.id ?? null
}
