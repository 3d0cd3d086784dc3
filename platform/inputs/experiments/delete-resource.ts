import type { VerbInput } from '#contract/endpoint.ts'
import type { deleteResource as endpoint } from '#contract/resources.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import { removeResource } from './resource-store.ts'

/**
 * DELETE /experiments/{id}/resources/{resourceId}. Errors: `not_found` for an unknown link, also for a second delete.
 */
export async function deleteResource(
  { db, organization }: Context,
  input: VerbInput<typeof endpoint>,
): Promise<undefined> {
  const key = { organizationId: organization.id, experimentId: input.id, resourceId: input.resourceId }
  if (!(await removeResource(db, key))) throw notFound(`Experiment "${input.id}" has no link ${input.resourceId}`)
}
