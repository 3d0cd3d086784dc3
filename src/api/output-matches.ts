import type { ChartParameters } from '#contract/charts.ts'
import { type OutputMatchList, type OutputSource, listOutputMatches } from '#contract/output-matches.ts'
import { call } from './call.ts'
import { chartScopeInput } from './chart-scope-input.ts'
import { infiniteListOptions } from './infinite-list.ts'
import { endpointKey } from './query-client.ts'

const matchesOf = ({ matches }: OutputMatchList) => matches

type Searched = { search: string; source: OutputSource | null; includesReasoning: boolean }

/** The turns and the test output that contain a text, in pages. */
export function outputMatchesOptions(
  id: string,
  parameters: ChartParameters,
  { search, source, includesReasoning }: Searched,
) {
  const input = {
    id,
    search,
    ...(source && { source: [source] }),
    ...(includesReasoning && { include: ['reasoning' as const] }),
    ...chartScopeInput(parameters),
  }
  return infiniteListOptions({
    queryKey: [...endpointKey(listOutputMatches, input), 'pages'],
    queryFn: ({ pageParam, signal }) => call(listOutputMatches, { ...input, pageToken: pageParam }, signal),
    getNextPageParam: (last) => last.nextPageToken ?? null,
    rowsOf: matchesOf,
    // The pages of a search cost the engine seconds, and only new runs change them.
    staleTime: 60_000,
  })
}
