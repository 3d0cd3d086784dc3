import type { Database } from '#platform/database/open-database.ts'
import { hashApiKey } from './api-key.ts'
import { findKeyByHash } from './store.ts'

/** A revoked key that is still in use, for the audit trail of its organizations; null for a key that never existed. */
export const findRevokedKey = (db: Database, key: string) => findKeyByHash(db, hashApiKey(key))
