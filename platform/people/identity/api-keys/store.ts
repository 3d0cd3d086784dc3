import { and, count, desc, eq, gt, isNull, lt, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'

import type { KeyKind } from '#contract/identity.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { apiKeyOrganizations, apiKeys, memberships, users } from '#platform/ground/database/tables/identity.ts'

const successors = alias(apiKeys, 'successors')

/** Restricts to one organization, and to the personal keys of one person. */
export type KeyFilter = { organizationId: string; ofUser?: string | undefined }

type Position = readonly [createdAt: string, id: string]

const isInScope = ({ organizationId, ofUser }: Partial<KeyFilter>) =>
  and(
    organizationId === undefined ? undefined : eq(apiKeyOrganizations.organizationId, organizationId),
    ofUser === undefined ? undefined : and(eq(apiKeys.createdBy, ofUser), eq(apiKeys.kind, 'personal')),
  )

const selectKeys = (db: Database) =>
  db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      kind: apiKeys.kind,
      keyRole: apiKeyOrganizations.role,
      memberRole: memberships.role,
      prefix: apiKeys.prefix,
      owner: { id: users.id, email: users.email, name: users.name },
      createdAt: apiKeys.createdAt,
      expiresAt: apiKeys.expiresAt,
      lastUsedAt: apiKeys.lastUsedAt,
      replacedBy: successors.id,
      isDemo: apiKeys.isDemo,
    })
    .from(apiKeys)
    .innerJoin(apiKeyOrganizations, eq(apiKeyOrganizations.keyId, apiKeys.id))
    .innerJoin(users, eq(users.id, apiKeys.createdBy))
    .leftJoin(
      memberships,
      and(
        eq(memberships.organizationId, apiKeyOrganizations.organizationId),
        eq(memberships.userId, apiKeys.createdBy),
      ),
    )
    .leftJoin(successors, eq(successors.replaces, apiKeys.id))

export type ApiKeyRow = Awaited<ReturnType<typeof selectKeys>>[number]

/** Keys that are not revoked, newest first. */
export const findApiKeys = (db: Database, filter: KeyFilter, page: { after?: Position | undefined; limit: number }) =>
  selectKeys(db)
    .where(
      and(
        isInScope(filter),
        isNull(apiKeys.revokedAt),
        page.after &&
          or(
            lt(apiKeys.createdAt, page.after[0]),
            and(eq(apiKeys.createdAt, page.after[0]), gt(apiKeys.id, page.after[1])),
          ),
      ),
    )
    .orderBy(desc(apiKeys.createdAt), apiKeys.id)
    .limit(page.limit)

export async function findApiKey(db: Database, filter: KeyFilter, id: string): Promise<ApiKeyRow | null> {
  const [key] = await selectKeys(db).where(and(isInScope(filter), eq(apiKeys.id, id)))
  return key ?? null
}

/**
 * Locks a key, so that its revocation and its rotation run one after the other. Returns null for a key out of scope,
 * which only the operator leaves open.
 */
export async function lockApiKey(tx: Database, filter: Partial<KeyFilter>, id: string) {
  const [key] = await tx
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      kind: apiKeys.kind,
      userId: apiKeys.createdBy,
      isDemo: apiKeys.isDemo,
      isRevoked: sql<boolean>`${apiKeys.revokedAt} is not null`,
      hasExpired: sql<boolean>`coalesce(${apiKeys.expiresAt} <= now(), false)`,
    })
    .from(apiKeys)
    .innerJoin(apiKeyOrganizations, eq(apiKeyOrganizations.keyId, apiKeys.id))
    .where(and(isInScope(filter), eq(apiKeys.id, id)))
    .for('no key update', { of: apiKeys })
  if (!key) return null
  const grants = await tx
    .select({ organizationId: apiKeyOrganizations.organizationId, role: apiKeyOrganizations.role })
    .from(apiKeyOrganizations)
    .where(eq(apiKeyOrganizations.keyId, id))
  return { ...key, grants }
}

export type LockedKey = NonNullable<Awaited<ReturnType<typeof lockApiKey>>>

export const hasSuccessor = async (tx: Database, id: string) => (await tx.$count(apiKeys, eq(apiKeys.replaces, id))) > 0

/** The key expires after these hours, or earlier if it would anyway. */
export async function expireSoon(tx: Database, id: string, hours: number) {
  await tx
    .update(apiKeys)
    .set({ expiresAt: sql`least(${apiKeys.expiresAt}, now() + make_interval(hours => ${hours}))` })
    .where(eq(apiKeys.id, id))
}

export async function markKeyRevoked(tx: Database, id: string) {
  await tx
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(eq(apiKeys.id, id))
}

export async function removeGrant(tx: Database, keyId: string, organizationId: string) {
  await tx
    .delete(apiKeyOrganizations)
    .where(and(eq(apiKeyOrganizations.keyId, keyId), eq(apiKeyOrganizations.organizationId, organizationId)))
}

/** The number of keys of this kind that still work. */
export async function countActiveKeys(tx: Database, filter: KeyFilter & { kind: KeyKind }) {
  const [row] = await tx
    .select({ total: count() })
    .from(apiKeys)
    .innerJoin(apiKeyOrganizations, eq(apiKeyOrganizations.keyId, apiKeys.id))
    .where(
      and(
        isInScope(filter),
        eq(apiKeys.kind, filter.kind),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql`now()`)),
      ),
    )
  return row?.total ?? 0
}

/** Whether the key still works. It cannot be revoked before the transaction ends. */
export async function holdKey(tx: Database, id: string) {
  const [key] = await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
    .for('share')
  return key !== undefined
}
