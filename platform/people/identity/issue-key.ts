import { randomUUID } from 'node:crypto'

import type { KeyKind, Role } from '#contract/identity.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { hashApiKey, keyPrefix, newApiKey } from './api-key.ts'
import { insertKey } from './store.ts'

type KeyToIssue = {
  kind: KeyKind
  name: string
  /** The owner, or the person who creates an organization's key. */
  userId: string
  grants: { organizationId: string; role: Role }[]
  isDemo?: boolean
  expiresAt?: string | undefined
  createdWith?: string | null
  replaces?: string
}

/** Stores the hash of a new key and returns the key itself, which nothing else ever contains. */
export async function issueKey(tx: Database, { userId, grants, ...settings }: KeyToIssue) {
  const [id, key] = [randomUUID(), newApiKey()]
  const prefix = keyPrefix(key)
  await insertKey(tx, { ...settings, id, hash: hashApiKey(key), prefix, createdBy: userId }, grants)
  return { id, key, prefix }
}
