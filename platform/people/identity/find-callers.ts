import type { Organization } from '#contract/identity.ts'
import { type Caller, callerOfPerson } from '#platform/ground/context/caller.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { findKeysByHash, type KeyRow } from './store.ts'

/**
 * Finds callers by the hashes of their API keys, in one statement. Unknown, expired and revoked keys are left out. A personal
 * key acts with its person's current role, an organization key with its own.
 */
export async function findCallers(db: Database, hashes: readonly string[]): Promise<Map<string, Caller>> {
  const rows = Map.groupBy(await findKeysByHash(db, hashes), ({ hash }) => hash)
  return new Map([...rows].map(([hash, ofKey]) => [hash, toCaller(ofKey as [KeyRow])]))
}

function toCaller(rows: readonly [KeyRow, ...KeyRow[]]): Caller {
  const [row] = rows
  const { keyId, userId, keyName } = row
  const organizations = rows.flatMap(toOrganization)
  if (row.kind === 'personal')
    return callerOfPerson({ id: userId, email: row.email, name: row.userName }, organizations, keyId, row.isProven)
  return { actor: { id: keyId, name: keyName }, recordedUnder: userId, keyKind: row.kind, keyId, organizations }
}

function toOrganization(row: KeyRow): Organization[] {
  const role = row.kind === 'personal' ? row.memberRole : row.keyRole
  if (!row.organizationId || !row.slug || !row.organizationName || !role) return []
  return [{ id: row.organizationId, slug: row.slug, name: row.organizationName, role }]
}
