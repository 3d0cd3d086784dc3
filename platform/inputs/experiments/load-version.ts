import type { Database } from '#platform/ground/database/open-database.ts'
import type { VersionKey } from './experiment-key.ts'
import { findWholeVersion } from './store.ts'

/** A stored version with its definition and package, or null. The run engine and the submit verb use it. */
export const loadVersion = (db: Database, key: VersionKey) => findWholeVersion(db, key)
