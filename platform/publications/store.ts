import { eq } from 'drizzle-orm'

import type { Database } from '#platform/database/open-database.ts'
import { publications } from '#platform/database/tables/publications.ts'

export type PublicationRow = typeof publications.$inferSelect

export async function findPublication(db: Database, insightId: string): Promise<PublicationRow | null> {
  const [row] = await db.select().from(publications).where(eq(publications.insightId, insightId))
  return row ?? null
}

export async function findPublicationByToken(db: Database, tokenHash: string): Promise<PublicationRow | null> {
  const [row] = await db.select().from(publications).where(eq(publications.tokenHash, tokenHash))
  return row ?? null
}

export async function insertPublication(tx: Database, publication: typeof publications.$inferInsert) {
  await tx.insert(publications).values(publication)
}
