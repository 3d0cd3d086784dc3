import { v7 as newId } from 'uuid'

import type { VerbInput } from '#contract/endpoint.ts'
import type { addResources as endpoint, ExperimentResource } from '#contract/resources.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { requireExperiment } from './require-experiment.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { insertResources, toResource } from './resource-store.ts'

type Input = VerbInput<typeof endpoint>

/**
 * POST /experiments/{id}/resources: adds one link or several, all or none. Titles and URLs may repeat. Errors:
 * `not_found`; `invalid_argument` for both body shapes at once, or for a missing title or URL.
 */
export async function addResources(
  { db, organization }: Context,
  input: Input,
): Promise<{ resources: ExperimentResource[] }> {
  const links = readLinks(input)
  const key = { organizationId: organization.id, experimentId: input.id }
  await requireExperiment(db, key)
  const now = await clockNow(db)
  const rows = links.map((link) => ({ ...key, ...link, id: newId(), createdAt: now, updatedAt: now }))
  return { resources: (await insertResources(db, rows)).map(toResource) }
}

function readLinks({ title, url, resources }: Input) {
  if (resources) {
    if (title !== undefined || url !== undefined)
      throw invalid('Send either `title` and `url`, or `resources`, not both')
    return resources
  }
  if (title === undefined) throw invalid('`title` is required')
  if (url === undefined) throw invalid('`url` is required')
  return [{ title, url }]
}
