import type { Database } from '#platform/database/open-database.ts'
import { invalid, notFound } from '#platform/failure.ts'
import { type ExperimentKey, findVersions } from './store.ts'

/** The version a submit pins: the one named or the last pushed. Errors: `not_found` for the experiment, `invalid_argument` for the version. */
export async function findVersionToRun(db: Database, key: ExperimentKey, fingerprint: string | undefined) {
  const versions = await findVersions(db, key)
  if (versions.length === 0) throw notFound(`Experiment "${key.experimentId}" does not exist`)
  const chosen = fingerprint ? versions.find(({ version }) => version.fingerprint === fingerprint) : versions[0]
  if (!chosen) throw invalid(`Experiment "${key.experimentId}" has no version ${fingerprint}`)
  return chosen.version
}
