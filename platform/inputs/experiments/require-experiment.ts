import type { Database } from '#platform/ground/database/open-database.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import type { ExperimentKey } from './experiment-key.ts'
import { findExperiments } from './experiment-list-store.ts'

/** Whether the organization has the experiment. */
export async function hasExperiment(db: Database, { organizationId, experimentId }: ExperimentKey) {
  const found = await findExperiments(db, { organizationId, id: experimentId, axes: {} }, { limit: 1 })
  return found.length > 0
}

/** Throws `not_found` unless the organization has the experiment. */
export async function requireExperiment(db: Database, key: ExperimentKey) {
  if (!(await hasExperiment(db, key))) throw notFound(`Experiment "${key.experimentId}" does not exist`)
}
