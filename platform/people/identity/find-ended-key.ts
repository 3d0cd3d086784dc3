import type { Database } from '#platform/ground/database/open-database.ts'
import { hashApiKey } from './api-key.ts'
import { findKeyByHash } from './store.ts'

/** A revoked or expired key that is still in use, for the audit log of its organizations; null for an unknown key. */
export const findEndedKey = (db: Database, key: string) => findKeyByHash(db, hashApiKey(key))
