import { referenceTo } from '#contract/secret-references.ts'
import type { Secret } from '#contract/secrets.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { findUses, type SecretRow } from './store.ts'

/** Converts rows to the wire format, with the experiments that use each secret. */
export async function toSecrets(db: Database, organizationId: string, rows: readonly SecretRow[]): Promise<Secret[]> {
  const uses = await findUses(
    db,
    organizationId,
    rows.map(({ slug }) => referenceTo(slug)),
  )
  const usesOf = Map.groupBy(uses, ({ reference }) => reference)
  return rows.map(({ description, lastUsedAt, ...row }) => ({
    ...row,
    ...(description !== null && { description }),
    ...(lastUsedAt !== null && { lastUsedAt }),
    usedBy: (usesOf.get(referenceTo(row.slug)) ?? []).map(({ experimentId, name }) => ({ experimentId, name })),
  }))
}
