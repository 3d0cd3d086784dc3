import type { CallInput } from '#contract/endpoint.ts'
import {
  createInsight,
  deleteInsight,
  getInsight,
  type InsightList,
  listInsights,
  shareInsight,
  updateInsight,
} from '#contract/insights.ts'
import { limits } from '#contract/wire/limit.ts'
import { call } from './call.ts'
import { canReadAgain } from './errors.ts'
import { infiniteListOptions, wholeListOptions } from './infinite-list.ts'
import { endpointKey, endpointOptions, queryClient } from './query-client.ts'

export type InsightFilters = Omit<CallInput<typeof listInsights>, 'limit' | 'pageToken'>
export type ListedInsight = InsightList['insights'][number]

const insightsOf = ({ insights }: InsightList) => insights

/** Every saved query; with `experiment`, its built-in charts before them. */
export const insightListOptions = (filters: InsightFilters) => {
  const whole = { ...filters, limit: limits.insights.max }
  return wholeListOptions({
    queryKey: endpointKey(listInsights, whole),
    readPage: (pageToken, signal) => call(listInsights, { ...whole, pageToken }, signal),
    nextToken: ({ nextPageToken }) => nextPageToken,
    rowsOf: insightsOf,
  })
}

/** The first saved queries, and further pages of them. */
export const insightPagesOptions = (filters: InsightFilters, limit: number) =>
  infiniteListOptions({
    queryKey: [...endpointKey(listInsights, { ...filters, limit }), 'pages'],
    queryFn: ({ pageParam, signal }) => call(listInsights, { ...filters, limit, pageToken: pageParam }, signal),
    getNextPageParam: (last) => last.nextPageToken,
    rowsOf: insightsOf,
  })

/** The saved query with exactly this slug or id, or a chart's metadata. Doesn't run the query. */
export const insightOptions = (ref: string) => endpointOptions(getInsight, { ref, sqlOnly: true })

/** The current result of a saved query. A query error is final, so only the reader retries. */
export const liveInsightOptions = (ref: string, limit: number) => ({
  ...endpointOptions(getInsight, { ref, limit }),
  retry: (failures: number, error: unknown) => failures < 1 && canReadAgain(error),
  staleTime: 60_000,
  refetchOnWindowFocus: false,
  structuralSharing: false,
})

/** Saves a query without running it. Organization-wide SQL can only be saved this way. */
export const saveInsight = (insight: CallInput<typeof createInsight>) => thenReload(call(createInsight, insight))

export const changeInsight = (change: CallInput<typeof updateInsight>) => thenReload(call(updateInsight, change))

/** This also deletes its publication. */
export async function removeInsight(ref: string) {
  const response = await call(deleteInsight, { ref })
  // The page must not request a deleted insight again.
  await queryClient.invalidateQueries({ queryKey: ['insights', 'list'] })
  return response
}

export const publishInsight = (ref: string) => thenReload(call(shareInsight, { ref }))

async function thenReload<Answer>(change: Promise<Answer>) {
  const response = await change
  await queryClient.invalidateQueries({
    queryKey: ['insights'],
    predicate: ({ queryKey }) => queryKey[1] !== 'execute',
  })
  return response
}
