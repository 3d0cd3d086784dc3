import type { Caller } from '#platform/ground/context/caller.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { unauthenticated } from '#platform/ground/failures/failure.ts'
import { findCallerOfKey } from '#platform/people/identity/caller-cache.ts'

/** Returns the key of `Authorization: Bearer <API_KEY>`. */
export const keyOf = (authorization: string | undefined) => /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]

/** The credential of a caller without a key. The verb finds out whether it is valid. */
export function requireToken(authorization: string | undefined) {
  const token = keyOf(authorization)
  if (token) return token
  throw unauthenticated('Send the token of the invitation, or the new key, as "Authorization: Bearer <TOKEN>"')
}

/**
 * Authenticates `Authorization: Bearer <API_KEY>`. Cookies and anything else are `unauthenticated`.
 */
export async function authenticate(db: Database, authorization: string | undefined): Promise<Caller> {
  const key = keyOf(authorization)
  if (!key) throw unauthenticated('Send an API key as "Authorization: Bearer <API_KEY>"')
  const caller = await findCallerOfKey(db, key)
  if (!caller) throw unauthenticated('This API key is unknown, expired or revoked')
  return caller
}
