import type { VerbInput } from '#contract/endpoint.ts'
import type { getYaml as endpoint } from '#contract/experiments.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import { findVersion } from './find-version.ts'

/** GET /experiments/{id}/yaml: the version's text as last pushed, with comments. Errors: `not_found`. */
export async function getYaml(
  { db, organization }: Context,
  { id, version: fingerprint }: VerbInput<typeof endpoint>,
): Promise<string> {
  const version = await findVersion(db, { organizationId: organization.id, experimentId: id }, fingerprint)
  if (!version) throw notFound(`Experiment "${id}" has no version ${fingerprint}`)
  return version.yaml
}
