import { randomUUID } from 'node:crypto'

import type { KeyKind, Role } from '#contract/identity.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { lockNamed } from '#platform/ground/database/lock-named.ts'
import { conflict } from '#platform/ground/failures/failure.ts'
import { hashApiKey, keyPrefix, newApiKey } from './api-key.ts'
import { findKeyByHash, insertKey } from './store.ts'

export type KeyToIssue = {
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
export async function issueKey(tx: Database, settings: KeyToIssue) {
  const key = newApiKey()
  return { ...(await storeKey(tx, settings, { hash: hashApiKey(key), prefix: keyPrefix(key) })), key }
}

/** Stores a key that a program made, of which only the hash is known. Errors: `already_exists` for a hash that is stored. */
export async function adoptKey(tx: Database, settings: KeyToIssue, made: { hash: string; prefix: string }) {
  await lockNamed(tx, 'new keys', made.hash)
  if (await findKeyByHash(tx, made.hash)) throw conflict('This key is already approved')
  return storeKey(tx, settings, made)
}

async function storeKey(
  tx: Database,
  { userId, grants, ...settings }: KeyToIssue,
  made: { hash: string; prefix: string | undefined },
) {
  const id = randomUUID()
  await insertKey(tx, { ...settings, ...made, id, createdBy: userId }, grants)
  return { id, prefix: made.prefix }
}
