import { addResources, deleteResource, type NewResource, updateResource } from '#contract/resources.ts'
import { call } from './call.ts'
import { queryClient } from './query-client.ts'

export const addLink = (experimentId: string, link: NewResource) =>
  thenReload(call(addResources, { id: experimentId, ...link }))

/** Attaches all of them or none. */
export const addLinks = (experimentId: string, resources: NewResource[]) =>
  thenReload(call(addResources, { id: experimentId, resources }))

export const changeLink = (experimentId: string, resourceId: string, change: NewResource) =>
  thenReload(call(updateResource, { id: experimentId, resourceId, ...change }))

export const removeLink = (experimentId: string, resourceId: string) =>
  thenReload(call(deleteResource, { id: experimentId, resourceId }))

/** Links are part of their experiment, so a change is complete when the page has reloaded it. */
async function thenReload<Answer>(change: Promise<Answer>) {
  const response = await change
  await queryClient.invalidateQueries({ queryKey: ['experiments', 'get'] })
  return response
}
