import type { CallInput } from '#contract/endpoint.ts'
import { getReview } from '#contract/reviews.ts'
import { listRuns, type RunList } from '#contract/run-list.ts'
import { call } from './call.ts'
import { infiniteListOptions } from './infinite-list.ts'
import { endpointOptions } from './query-client.ts'
import type { RunFilters } from './runs.ts'

const queuePage = 500

/**
 * The runs to review, page by page, as they were when the reader came to them: labels change which runs a filter matches.
 */
export const reviewQueueOptions = (filters: RunFilters) =>
  infiniteListOptions({
    queryKey: ['review', 'queue', filters],
    queryFn: ({ pageParam, signal }) => call(listRuns, { ...filters, limit: queuePage, pageToken: pageParam }, signal),
    getNextPageParam: (last: RunList) => last.nextPageToken,
    rowsOf: runsOf,
    staleTime: Infinity,
  })

const runsOf = ({ runs }: RunList) => runs

export const reviewOptions = (filters: CallInput<typeof getReview>) => endpointOptions(getReview, filters)
