import type { VerbInput } from '#contract/endpoint.ts'
import type { ExperimentResource, updateResource as endpoint } from '#contract/resources.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { invalid, notFound } from '#platform/ground/failures/failure.ts'
import { changeResource, findResourceForUpdate, toResource } from './resource-store.ts'

type Updated = ExperimentResource & { previousTitle: string }

/**
 * PATCH /experiments/{id}/resources/{resourceId}: changes the sent fields only. Errors: `not_found`, `invalid_argument`
 * for neither field.
 */
export async function updateResource(
  { db, organization }: Context,
  input: VerbInput<typeof endpoint>,
): Promise<Updated> {
  const { title, url } = input
  if (title === undefined && url === undefined) throw invalid('Send `title` or `url`')
  const key = { organizationId: organization.id, experimentId: input.id, resourceId: input.resourceId }
  return db.transaction(async (tx) => {
    const before = await findResourceForUpdate(tx, key)
    if (!before) throw notFound(`Experiment "${input.id}" has no link ${input.resourceId}`)
    const change = {
      ...(title !== undefined && { title }),
      ...(url !== undefined && { url }),
      updatedAt: await clockNow(tx),
    }
    return { ...toResource(await changeResource(tx, key, change)), previousTitle: before.title }
  })
}
