import type { CallInput } from '#contract/endpoint.ts'
import { getReview } from '#contract/reviews.ts'
import { listRuns } from '#contract/run-list.ts'
import { call } from './call.ts'
import { endpointOptions } from './query-client.ts'
import type { RunFilters } from './runs.ts'

/** The most runs of one queue. A longer list is reviewed in parts, by filters. */
export const queueSize = 500

/** The runs to review, as they were when the page opened: labels change which runs a filter matches. */
export const reviewQueueOptions = (filters: RunFilters) => ({
  queryKey: ['review', 'queue', filters],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(listRuns, { ...filters, limit: queueSize }, signal),
  staleTime: Infinity,
})

export const reviewOptions = (filters: CallInput<typeof getReview>) => endpointOptions(getReview, filters)
