import type { VerbInput } from '#contract/endpoint.ts'
import type { getYaml as endpoint } from '#contract/experiments.ts'
import type { Context } from '#platform/context.ts'
import { notFound } from '#platform/failure.ts'
import { findVersions } from './store.ts'

/** GET /experiments/{id}/yaml: the text as it was last pushed for the version, comments and all. */
export async function getYaml(
  { db, organization }: Context,
  { id, version: fingerprint }: VerbInput<typeof endpoint>,
): Promise<string> {
  const versions = await findVersions(db, { organizationId: organization.id, experimentId: id })
  if (versions.length === 0) throw notFound(`Experiment "${id}" does not exist`)
  const chosen = fingerprint ? versions.find(({ version }) => version.fingerprint === fingerprint) : versions[0]
  if (!chosen) throw notFound(`Experiment "${id}" has no version ${fingerprint}`)
  return chosen.version.yaml
}
