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
import { call } from './call.ts'
import { mayRetry } from './errors.ts'
import { infiniteListOptions } from './infinite-list.ts'
import { endpointKey, endpointOptions, queryClient } from './query-client.ts'

export type InsightFilters = Omit<CallInput<typeof listInsights>, 'limit' | 'pageToken'>
export type ListedInsight = InsightList['insights'][number]

const pageSize = 200

const insightsOf = ({ insights }: InsightList) => insights

/** Saved queries page by page; with `experiment`, its built-in charts before them. */
export const insightPagesOptions = (filters: InsightFilters, limit = pageSize) =>
  infiniteListOptions({
    queryKey: [...endpointKey(listInsights, { ...filters, limit }), 'pages'],
    queryFn: ({ pageParam, signal }) => call(listInsights, { ...filters, limit, pageToken: pageParam }, signal),
    getNextPageParam: (last) => last.nextPageToken,
    rowsOf: insightsOf,
  })

/** The saved query of exactly this slug or id, without running it; the metadata of a chart. */
export const insightOptions = (ref: string) => endpointOptions(getInsight, { ref, sqlOnly: true })

/** What a saved query answers now. The engine's refusals are final; it is asked again by hand. */
export const liveInsightOptions = (ref: string, limit: number) => ({
  ...endpointOptions(getInsight, { ref, limit }),
  retry: (failures: number, error: unknown) => failures < 1 && mayRetry(error),
  staleTime: 60_000,
  refetchOnWindowFocus: false,
  structuralSharing: false,
})

/** Saves without an execution: the only way for SQL over the whole organization. */
export const saveInsight = (insight: CallInput<typeof createInsight>) => thenReload(call(createInsight, insight))

export const changeInsight = (change: CallInput<typeof updateInsight>) => thenReload(call(updateInsight, change))

/** Its publication goes with it. */
export async function removeInsight(ref: string) {
  const answer = await call(deleteInsight, { ref })
  // What is gone is not asked for again by the page that shows it.
  await queryClient.invalidateQueries({ queryKey: ['insights', 'list'] })
  return answer
}

export const publishInsight = (ref: string) => thenReload(call(shareInsight, { ref }))

async function thenReload<Answer>(change: Promise<Answer>) {
  const answer = await change
  await queryClient.invalidateQueries({
    queryKey: ['insights'],
    predicate: ({ queryKey }) => queryKey[1] !== 'execute',
  })
  return answer
}
