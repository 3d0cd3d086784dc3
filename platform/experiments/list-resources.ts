import type { ExperimentResource } from '#contract/resources.ts'
import type { Database } from '#platform/database/open-database.ts'
import type { ExperimentKey } from './experiment-key.ts'
import { findResources, toResource } from './resource-store.ts'

/** The links of an experiment, in the order they were added; `[]` when it has none. */
export async function listResources(db: Database, key: ExperimentKey): Promise<ExperimentResource[]> {
  return (await findResources(db, key)).map(toResource)
}
