import type { ApiKey } from '#contract/api-keys.ts'
import type { Caller } from '#platform/ground/context/caller.ts'
import type { ApiKeyRow } from './store.ts'

/** A personal key acts with its owner's role, which may have changed since the key was created. */
export function toApiKey({ keyRole, memberRole, ...row }: ApiKeyRow, { keyId }: Caller): ApiKey {
  const role = row.kind === 'personal' ? memberRole : keyRole
  const { id, name, kind, owner, createdAt, isDemo } = row
  return {
    id,
    name,
    kind,
    owner,
    createdAt,
    isDemo,
    isCurrent: id === keyId,
    ...(role && { role }),
    ...(row.prefix && { prefix: row.prefix }),
    ...(row.expiresAt && { expiresAt: row.expiresAt }),
    ...(row.lastUsedAt && { lastUsedAt: row.lastUsedAt }),
    ...(row.replacedBy && { replacedBy: row.replacedBy }),
  }
}
