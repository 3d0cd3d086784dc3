import type { Database } from '#platform/database/open-database.ts'
import { notFound } from '#platform/failures/failure.ts'
import { loadVersion } from './load-version.ts'
import type { ExperimentKey } from './experiment-key.ts'
import { findLatestFingerprint } from './store.ts'

/** A stored version in full: the one named, or the last pushed. `not_found` for the experiment, null for the version. */
export async function findVersion(db: Database, key: ExperimentKey, fingerprint?: string) {
  const latest = await findLatestFingerprint(db, key)
  if (!latest) throw notFound(`Experiment "${key.experimentId}" does not exist`)
  return loadVersion(db, { ...key, fingerprint: fingerprint || latest })
}
