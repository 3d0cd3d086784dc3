import type { Caller } from '#platform/context.ts'
import type { Database } from '#platform/database/open-database.ts'
import { unauthenticated } from '#platform/failure.ts'
import { knownCaller } from '#platform/identity/known-callers.ts'

/** Reads `Authorization: Bearer <API_KEY>`; cookies and anything else are `unauthenticated` (spec, Authentication 1 and 2). */
export async function authenticate(db: Database, authorization: string | undefined): Promise<Caller> {
  const [, key] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  if (!key) throw unauthenticated('Send an API key as "Authorization: Bearer <API_KEY>"')
  const caller = await knownCaller(db, key)
  if (!caller) throw unauthenticated('This API key is unknown or revoked')
  return caller
}
