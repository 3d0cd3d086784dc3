import { and, eq, getTableColumns } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { experiments } from '#platform/ground/database/tables/experiments.ts'
import { organizations } from '#platform/ground/database/tables/identity.ts'
import { publications } from '#platform/ground/database/tables/publications.ts'

export type PublicationRow = typeof publications.$inferSelect

export async function findPublication(db: Database, insightId: string): Promise<PublicationRow | null> {
  const [row] = await db.select().from(publications).where(eq(publications.insightId, insightId))
  return row ?? null
}

/** `experimentName` is null for an insight over the whole organization. */
export type NamedPublication = PublicationRow & { organizationName: string; experimentName: string | null }

export async function findPublicationByToken(db: Database, tokenHash: string): Promise<NamedPublication | null> {
  const [row] = await db
    .select({
      ...getTableColumns(publications),
      organizationName: organizations.name,
      experimentName: experiments.name,
    })
    .from(publications)
    .innerJoin(organizations, eq(organizations.id, publications.organizationId))
    .leftJoin(
      experiments,
      and(eq(experiments.organizationId, publications.organizationId), eq(experiments.id, publications.experimentId)),
    )
    .where(eq(publications.tokenHash, tokenHash))
  return row ?? null
}

export async function insertPublication(tx: Database, publication: typeof publications.$inferInsert) {
  await tx.insert(publications).values(publication)
}
