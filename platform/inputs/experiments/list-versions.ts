import type { VerbInput } from '#contract/endpoint.ts'
import type { listVersions as endpoint, ExperimentVersion } from '#contract/experiments.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import { findVersions } from './store.ts'
import { toVersion } from './to-experiment.ts'

/**
 * GET /experiments/{id}/versions: last pushed first. Errors: `not_found`. Every experiment has a version, so no rows
 * means an unknown experiment.
 */
export async function listVersions(
  { db, organization }: Context,
  input: VerbInput<typeof endpoint>,
): Promise<{ versions: ExperimentVersion[] }> {
  const versions = await findVersions(db, { organizationId: organization.id, experimentId: input.id })
  if (versions.length === 0) throw notFound(`Experiment "${input.id}" does not exist`)
  return { versions: versions.map(toVersion) }
}
