import { and, asc, eq, gt, sql } from 'drizzle-orm'

import type { Role } from '#contract/identity.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { apiKeyOrganizations, apiKeys, memberships, users } from '#platform/ground/database/tables/identity.ts'

export type Membership = { organizationId: string; userId: string }

const isMembership = ({ organizationId, userId }: Membership) =>
  and(eq(memberships.organizationId, organizationId), eq(memberships.userId, userId))

/** Whether the demo signs visitors in as this member. */
const isDemo = sql<boolean>`exists (
  select 1 from ${apiKeys} join ${apiKeyOrganizations} on ${apiKeyOrganizations.keyId} = ${apiKeys.id}
  where ${apiKeys.createdBy} = ${memberships.userId} and ${apiKeys.isDemo} and ${apiKeys.revokedAt} is null
    and ${apiKeyOrganizations.organizationId} = ${memberships.organizationId})`

const selectMembers = (db: Database) =>
  db
    .select({ id: users.id, email: users.email, name: users.name, role: memberships.role, isDemo })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))

export type MemberRow = Awaited<ReturnType<typeof selectMembers>>[number]

/** By email address, which is unique. */
export const findMembers = (
  db: Database,
  organizationId: string,
  page: { after?: string | undefined; limit: number },
) =>
  selectMembers(db)
    .where(
      and(
        eq(memberships.organizationId, organizationId),
        page.after === undefined ? undefined : gt(users.email, page.after),
      ),
    )
    .orderBy(asc(users.email))
    .limit(page.limit)

export async function findMember(db: Database, membership: Membership): Promise<MemberRow | null> {
  const [member] = await selectMembers(db).where(isMembership(membership))
  return member ?? null
}

export async function updateRole(tx: Database, membership: Membership, role: Role) {
  await tx.update(memberships).set({ role }).where(isMembership(membership))
}

export async function deleteMembership(tx: Database, membership: Membership) {
  await tx.delete(memberships).where(isMembership(membership))
}
