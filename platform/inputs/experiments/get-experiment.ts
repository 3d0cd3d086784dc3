import type { VerbInput } from '#contract/endpoint.ts'
import type { Experiment, getExperiment as endpoint } from '#contract/experiments.ts'
import type { SharedContext } from '#platform/ground/context/context.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import type { ExperimentResource } from '#contract/resources.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { loadVersion } from './load-version.ts'
import { findExperiments } from './experiment-list-store.ts'
import { toExperiment } from './to-experiment.ts'
import type { ExperimentKey } from './experiment-key.ts'
import { findResources, toResource } from './resource-store.ts'

/** GET /experiments/{id}: metadata, axes and variants of the given version, or of the latest. Errors: `not_found`. */
export async function getExperiment(
  { db, organization }: SharedContext,
  input: VerbInput<typeof endpoint>,
): Promise<Experiment> {
  const [row] = await findExperiments(db, { organizationId: organization.id, id: input.id, axes: {} }, { limit: 1 })
  if (!row) throw notFound(`Experiment "${input.id}" does not exist`)
  const fingerprint = input.version ?? row.experiment.latestFingerprint
  const version = await loadVersion(db, { organizationId: organization.id, experimentId: input.id, fingerprint })
  if (!version) throw notFound(`Experiment "${input.id}" has no version ${fingerprint}`)
  const resources = await listResources(db, { organizationId: organization.id, experimentId: input.id })
  return toExperiment(row, version, resources)
}

/** The links of an experiment, in the order they were added; `[]` when it has none. */
async function listResources(db: Database, key: ExperimentKey): Promise<ExperimentResource[]> {
  return (await findResources(db, key)).map(toResource)
}
