import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import {
  apiKeyOrganizations,
  apiKeys,
  memberships,
  organizations,
  users,
} from '#platform/ground/database/tables/identity.ts'

/** Returns false if the person was proven already. */
export async function markProven(tx: Database, userId: string) {
  const isIt = and(eq(users.id, userId), eq(users.isProven, false))
  return (await tx.update(users).set({ isProven: true }).where(isIt).returning()).length > 0
}

export const lockUser = (tx: Database, userId: string) =>
  tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')

/** Writes nothing if the person has the name. */
export async function updateUserName(tx: Database, userId: string, name: string) {
  await tx
    .update(users)
    .set({ name })
    .where(and(eq(users.id, userId), ne(users.name, name)))
}

/** The names of the other members of a person's organizations, each once. */
export async function findFellowNames(tx: Database, userId: string) {
  const own = tx.select({ id: memberships.organizationId }).from(memberships).where(eq(memberships.userId, userId))
  const rows = await tx
    .selectDistinct({ name: users.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(inArray(memberships.organizationId, own), ne(users.id, userId)))
  return rows.map(({ name }) => name)
}

/**
 * Revokes a person's own keys, and returns where those worked until now. Locks them first: a key that one of them is creating
 * is there when the lock is.
 */
export async function revokeKeysOfPerson(tx: Database, userId: string, kept: string | null) {
  const isOwn = and(eq(apiKeys.createdBy, userId), eq(apiKeys.kind, 'personal'), isNull(apiKeys.revokedAt))
  await tx.select({ id: apiKeys.id }).from(apiKeys).where(isOwn).for('no key update')
  const revoked = await tx
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(and(isOwn, kept === null ? undefined : ne(apiKeys.id, kept)))
    .returning({ id: apiKeys.id })
  const ids = revoked.map(({ id }) => id)
  return ids.length === 0 ? [] : tx.select().from(apiKeyOrganizations).where(inArray(apiKeyOrganizations.keyId, ids))
}

/** A person and one of their organizations, with their role there; null if they are not a member of it. */
export async function findMemberOf(db: Database, organizationId: string, userId: string) {
  const [row] = await db
    .select({
      person: { id: users.id, email: users.email, name: users.name },
      organization: {
        id: organizations.id,
        slug: organizations.slug,
        name: organizations.name,
        role: memberships.role,
      },
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.userId, userId)))
  return row ?? null
}
