import { queryOptions } from '@tanstack/react-query'

import type { CallInput, ResponseOf } from '#contract/endpoint.ts'
import { listRequestsOfCommits } from '#contract/request-origins.ts'
import { call } from './call.ts'
import { pollWhileUnfinished } from './polling.ts'
import { endpointKey } from './query-client.ts'

type Answer = ResponseOf<typeof listRequestsOfCommits>

/** The requests of pipelines, newest first. Polls while one of them has unfinished runs. */
export const commitsOptions = (input: CallInput<typeof listRequestsOfCommits>) =>
  queryOptions({
    queryKey: endpointKey(listRequestsOfCommits, input),
    queryFn: async ({ signal }) => (await call(listRequestsOfCommits, input, signal)).requests,
    refetchInterval: pollWhileUnfinished(newestUnfinished),
  })

const newestUnfinished = (requests: Answer['requests']) =>
  requests.find(({ runCount, endedCount }) => endedCount < runCount)?.createdAt ?? null
