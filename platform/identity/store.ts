import { and, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'

import type { KeyKind, Role } from '#contract/identity.ts'
import type { Database } from '#platform/database/open-database.ts'
import { apiKeyOrganizations, apiKeys, memberships, organizations, users } from '#platform/database/tables/identity.ts'

/** Live keys with the organizations they were granted; `memberRole` is null if the key's person is not a member there. */
export const findKeysByHash = (db: Database, hashes: readonly string[]) =>
  db
    .select({
      hash: apiKeys.hash,
      keyId: apiKeys.id,
      kind: apiKeys.kind,
      keyName: apiKeys.name,
      userId: users.id,
      email: users.email,
      userName: users.name,
      organizationId: organizations.id,
      slug: organizations.slug,
      organizationName: organizations.name,
      keyRole: apiKeyOrganizations.role,
      memberRole: memberships.role,
    })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.createdBy))
    .leftJoin(apiKeyOrganizations, eq(apiKeyOrganizations.keyId, apiKeys.id))
    .leftJoin(organizations, eq(organizations.id, apiKeyOrganizations.organizationId))
    .leftJoin(memberships, and(eq(memberships.organizationId, organizations.id), eq(memberships.userId, users.id)))
    .where(and(inArray(apiKeys.hash, [...hashes]), isNull(apiKeys.revokedAt)))
    .orderBy(organizations.slug)

export type KeyRow = Awaited<ReturnType<typeof findKeysByHash>>[number]

/** Organizations are created one after the other, so that each knows whether it is the first. */
export const lockOrganizations = (tx: Database) => tx.execute(sql`select pg_advisory_xact_lock(4402)`)

export async function findOrganization(db: Database, slug: string) {
  const [organization] = await db.select().from(organizations).where(eq(organizations.slug, slug))
  return organization ?? null
}

export async function insertOrganization(db: Database, organization: typeof organizations.$inferInsert) {
  await db.insert(organizations).values(organization)
}

/** Nothing changes for somebody who is known. Not the email is written again: its lock would hold up every row that names the person. */
export async function upsertUser(db: Database, user: typeof users.$inferInsert) {
  const [row] = await db
    .insert(users)
    .values(user)
    .onConflictDoUpdate({ target: users.email, set: { name: sql`${users.name}` } })
    .returning()
  if (!row) throw new Error('upsert returned no user')
  return row
}

/** Makes a person a member, unless they are one. */
export async function insertMembership(
  db: Database,
  membership: { organizationId: string; userId: string; role: Role },
) {
  await db.insert(memberships).values(membership).onConflictDoNothing()
}

export async function findRole(db: Database, { organizationId, userId }: { organizationId: string; userId: string }) {
  const [row] = await db
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.userId, userId)))
  return row?.role ?? null
}

type NewKey = { id: string; hash: string; kind: KeyKind; name: string; isDemo: boolean; createdBy: string }

export async function insertKey(db: Database, key: NewKey, grants: { organizationId: string; role: Role }[]) {
  await db.insert(apiKeys).values(key)
  await db.insert(apiKeyOrganizations).values(grants.map((grant) => ({ keyId: key.id, ...grant })))
}

export async function findFirstAdmin(db: Database, organizationId: string) {
  const [admin] = await db
    .select({ id: users.id, email: users.email, name: users.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.role, 'admin')))
    .orderBy(users.createdAt, users.id)
    .limit(1)
  return admin ?? null
}

export async function upsertMembership(
  db: Database,
  membership: { organizationId: string; userId: string; role: Role },
) {
  await db
    .insert(memberships)
    .values(membership)
    .onConflictDoUpdate({ target: [memberships.organizationId, memberships.userId], set: { role: membership.role } })
}

/** Returns whether it existed. */
export async function deleteMembership(db: Database, organizationId: string, email: string) {
  const person = db.select({ id: users.id }).from(users).where(eq(users.email, email))
  const deleted = await db
    .delete(memberships)
    .where(and(eq(memberships.organizationId, organizationId), inArray(memberships.userId, person)))
    .returning()
  return deleted.length > 0
}

/** Against others who take it, not against rows that name the organization. */
export const lockOrganization = (db: Database, organizationId: string) =>
  db.select().from(organizations).where(eq(organizations.id, organizationId)).for('no key update')

export const countAdmins = (db: Database, organizationId: string) =>
  db.$count(memberships, and(eq(memberships.organizationId, organizationId), eq(memberships.role, 'admin')))

export const findMembers = (db: Database, organizationId: string) =>
  db
    .select({ email: users.email, name: users.name, role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.organizationId, organizationId))
    .orderBy(users.email)

/** The live keys that see an organization, newest first. */
export const findKeys = (db: Database, organizationId: string) =>
  db
    .select({ id: apiKeys.id, kind: apiKeys.kind, email: users.email, createdAt: apiKeys.createdAt })
    .from(apiKeys)
    .innerJoin(apiKeyOrganizations, eq(apiKeyOrganizations.keyId, apiKeys.id))
    .innerJoin(users, eq(users.id, apiKeys.createdBy))
    .where(and(eq(apiKeyOrganizations.organizationId, organizationId), isNull(apiKeys.revokedAt)))
    .orderBy(desc(apiKeys.createdAt), apiKeys.id)

/** False if it was revoked before; it then keeps its time of revocation. */
export async function revokeKey(db: Database, id: string) {
  const revoked = await db
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
    .returning()
  return revoked.length > 0
}

/** A key that may be revoked, its person, and the organizations it was granted. */
async function findAnyKey(db: Database, condition: SQL) {
  const [key] = await db
    .select({ id: apiKeys.id, kind: apiKeys.kind, name: apiKeys.name, userId: users.id, email: users.email })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.createdBy))
    .where(condition)
  if (!key) return null
  const grants = await db.select().from(apiKeyOrganizations).where(eq(apiKeyOrganizations.keyId, key.id))
  return { ...key, grants }
}

export const findKeyById = (db: Database, id: string) => findAnyKey(db, eq(apiKeys.id, id))

export const findKeyByHash = (db: Database, hash: string) => findAnyKey(db, eq(apiKeys.hash, hash))

/** The live keys of the demo. */
export const findDemoKeys = (db: Database) =>
  db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.isDemo, true), isNull(apiKeys.revokedAt)))
