import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'
import { isWebAddress } from '#contract/wire/web-address.ts'

/** The rules of the two fields of a titled link, for create, update and the form. */
const ResourceTitle = z.string().trim().min(1, 'must not be blank').max(200)
const ResourceUrl = z.string().trim().max(2048).refine(isWebAddress, 'must be an http or https URL')

export const ExperimentResource = z.object({
  id: z.uuid(),
  title: z.string(),
  url: z.string(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type ExperimentResource = z.infer<typeof ExperimentResource>

export const NewResource = z.object({ title: ResourceTitle, url: ResourceUrl })
export type NewResource = z.infer<typeof NewResource>

export const addResources = endpoint({
  name: 'resources.add',
  method: 'POST',
  path: '/experiments/:id/resources',
  summary: 'Add one link ({title, url}) or several ({resources: […]}), not both',
  body: z.object({
    title: ResourceTitle.optional(),
    url: ResourceUrl.optional(),
    resources: z.array(NewResource).min(1).max(200).optional(),
  }),
  bodyBytes: limits.textBodyBytes,
  response: z.object({ resources: z.array(ExperimentResource) }),
  status: 201,
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'not_found'],
})

export const updateResource = endpoint({
  name: 'resources.update',
  method: 'PATCH',
  path: '/experiments/:id/resources/:resourceId',
  summary: 'Change the title or the URL of a link',
  body: z.object({ title: ResourceTitle.optional(), url: ResourceUrl.optional() }),
  response: ExperimentResource.extend({ previousTitle: z.string() }),
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'not_found'],
})

export const deleteResource = endpoint({
  name: 'resources.delete',
  method: 'DELETE',
  path: '/experiments/:id/resources/:resourceId',
  summary: 'Delete a link',
  response: z.undefined(),
  status: 204,
  errors: ['unauthenticated', 'permission_denied', 'not_found'],
})
