import type { Database } from '#platform/database/open-database.ts'
import { hashApiKey } from './api-key.ts'
import { findKeyByHash } from './store.ts'

/** The revoked key that somebody still uses, for the trail of its organizations; null for a key that never existed. */
export const findDeadKey = (db: Database, key: string) => findKeyByHash(db, hashApiKey(key))
