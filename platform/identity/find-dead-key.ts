import type { Database } from '#platform/database/open-database.ts'
import { hashApiKey } from './api-key.ts'
import { findKeyByHash } from './store.ts'

/** The revoked key that somebody still uses, whose organizations want to know; null for one that never was. */
export const findDeadKey = (db: Database, key: string) => findKeyByHash(db, hashApiKey(key))
