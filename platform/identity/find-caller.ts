import type { Organization } from '#contract/identity.ts'
import type { Caller } from '#platform/context.ts'
import type { Database } from '#platform/database/open-database.ts'
import { findKey, type KeyRow } from './store.ts'

/** Who the API key of a hash speaks for, or null. A personal key acts with its person's role of today, an organization key with its own. */
export async function findCaller(db: Database, hash: string): Promise<Caller | null> {
  const rows = await findKey(db, hash)
  const [row] = rows
  if (!row) return null
  const actor =
    row.kind === 'personal'
      ? { id: row.userId, email: row.email, name: row.userName }
      : { id: row.keyId, name: row.keyName }
  return { actor, userId: row.userId, keyKind: row.kind, organizations: rows.flatMap(toOrganization) }
}

function toOrganization(row: KeyRow): Organization[] {
  const role = row.kind === 'personal' ? row.memberRole : row.keyRole
  if (!row.organizationId || !row.slug || !row.organizationName || !role) return []
  return [{ id: row.organizationId, slug: row.slug, name: row.organizationName, role }]
}
