import type { Organization } from '#contract/identity.ts'
import type { Caller } from '#platform/context/context.ts'
import type { Database } from '#platform/database/open-database.ts'
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
  const actor =
    row.kind === 'personal'
      ? { id: row.userId, email: row.email, name: row.userName }
      : { id: row.keyId, name: row.keyName }
  return { actor, userId: row.userId, keyKind: row.kind, keyId: row.keyId, organizations: rows.flatMap(toOrganization) }
}

function toOrganization(row: KeyRow): Organization[] {
  const role = row.kind === 'personal' ? row.memberRole : row.keyRole
  if (!row.organizationId || !row.slug || !row.organizationName || !role) return []
  return [{ id: row.organizationId, slug: row.slug, name: row.organizationName, role }]
}
