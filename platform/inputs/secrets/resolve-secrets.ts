import type { Services } from '#platform/ground/context/context.ts'
import type { SecretValue } from '#platform/inputs/secrets/masking/masker.ts'
import { openSecret } from './seal.ts'
import { findSealed, touchSecrets } from './store.ts'

/**
 * `missing` secrets do not exist in the organization; `unreadable` ones exist but cannot be decrypted with the
 * installation's keys.
 */
type ResolvedSecrets = { values: SecretValue[]; missing: string[]; unreadable: string[] }

type Vault = Pick<Services, 'db' | 'keys'>

/**
 * Returns the current values of these secrets and marks them as used. Later changes of the secrets do not affect the
 * result.
 */
export async function resolveSecrets(vault: Vault, organizationId: string, slugs: readonly string[]) {
  const resolved = await findValues(vault, organizationId, slugs)
  if (resolved.values.length > 0)
    await touchSecrets(
      vault.db,
      organizationId,
      resolved.values.map(({ slug }) => slug),
    )
  return resolved
}

/** Returns which of these slugs a run could not receive, for the submit verb. */
export async function findUnusableSecrets(vault: Vault, organizationId: string, slugs: readonly string[]) {
  const { missing, unreadable } = await findValues(vault, organizationId, slugs)
  return { missing, unreadable }
}

async function findValues({ db, keys }: Vault, organizationId: string, slugs: readonly string[]) {
  const resolved: ResolvedSecrets = { values: [], missing: [], unreadable: [] }
  if (slugs.length === 0) return resolved
  const rows = await findSealed(db, organizationId, slugs)
  for (const slug of new Set(slugs)) {
    const row = rows.find((stored) => stored.slug === slug)
    const value = row ? openSecret(keys, { organizationId, slug }, row) : null
    if (value !== null) resolved.values.push({ slug, value })
    else if (row) resolved.unreadable.push(slug)
    else resolved.missing.push(slug)
  }
  return resolved
}
