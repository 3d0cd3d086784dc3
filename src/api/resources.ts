import { addResources, deleteResource, type NewResource, updateResource } from '#contract/resources.ts'
import { call } from './call.ts'
import { refresherOf } from './query-client.ts'

/** Links are part of their experiment, so a change is complete when the page has reloaded it. */
const thenReload = refresherOf(['experiments', 'get'])

export const addLink = (experimentId: string, link: NewResource) =>
  thenReload(call(addResources, { id: experimentId, ...link }))

/** Attaches all of them or none. */
export const addLinks = (experimentId: string, resources: NewResource[]) =>
  thenReload(call(addResources, { id: experimentId, resources }))

export const changeLink = (experimentId: string, resourceId: string, change: NewResource) =>
  thenReload(call(updateResource, { id: experimentId, resourceId, ...change }))

export const removeLink = (experimentId: string, resourceId: string) =>
  thenReload(call(deleteResource, { id: experimentId, resourceId }))
