import { and, eq } from 'drizzle-orm'

import type { Database } from '#platform/database/open-database.ts'
import { experimentVersions } from './tables.ts'

export type VersionKey = { organizationId: string; experimentId: string; fingerprint: string }

/** A stored version with its definition and package, or null; for the run engine and the submit verb. */
export async function loadVersion(db: Database, key: VersionKey) {
  const [version] = await db
    .select()
    .from(experimentVersions)
    .where(
      and(
        eq(experimentVersions.organizationId, key.organizationId),
        eq(experimentVersions.experimentId, key.experimentId),
        eq(experimentVersions.fingerprint, key.fingerprint),
      ),
    )
  return version ?? null
}
