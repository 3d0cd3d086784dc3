import { and, eq, isNull } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { apiKeys, organizations, users } from '#platform/ground/database/tables/identity.ts'

export async function findOrganizationDetails(db: Database, id: string) {
  const [organization] = await db.select().from(organizations).where(eq(organizations.id, id))
  if (!organization) throw new Error('The organization of the request does not exist')
  return organization
}

/** Locks the organization, so that each of two changes records the name before it. */
export async function lockOrganizationName(tx: Database, id: string) {
  const [row] = await tx
    .select({ name: organizations.name })
    .from(organizations)
    .where(eq(organizations.id, id))
    .for('no key update')
  return row?.name
}

export async function updateOrganizationName(tx: Database, id: string, name: string) {
  await tx.update(organizations).set({ name }).where(eq(organizations.id, id))
}

export async function lockPersonName(tx: Database, id: string) {
  const [row] = await tx.select({ name: users.name }).from(users).where(eq(users.id, id)).for('no key update')
  return row?.name
}

/** Whether the demo signs visitors in as this person. */
export const isOfDemo = async (db: Database, id: string) =>
  (await db.$count(apiKeys, and(eq(apiKeys.createdBy, id), apiKeys.isDemo, isNull(apiKeys.revokedAt)))) > 0
