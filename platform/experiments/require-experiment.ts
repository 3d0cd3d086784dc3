import type { Database } from '#platform/database/open-database.ts'
import { notFound } from '#platform/failure.ts'
import type { ExperimentKey } from './experiment-key.ts'
import { findExperiments } from './store.ts'

/** Refuses with `not_found` unless the organization has the experiment. */
export async function requireExperiment(db: Database, { organizationId, experimentId }: ExperimentKey) {
  const [found] = await findExperiments(db, { organizationId, id: experimentId, axes: {}, limit: 1 })
  if (!found) throw notFound(`Experiment "${experimentId}" does not exist`)
}
