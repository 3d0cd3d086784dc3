import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'

import { apiDocumentPath } from '#contract/session.ts'
import { send } from './call.ts'

/** The OpenAPI document of the whole API. */
export const apiDocumentOptions = queryOptions({
  queryKey: ['api-document'],
  queryFn: ({ signal }) => send(z.looseObject({}), { method: 'GET', url: apiDocumentPath, signal }),
  staleTime: Number.POSITIVE_INFINITY,
})
