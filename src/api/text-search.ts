import { searchText, textSearchLength, type TextSearch } from '#contract/text-search.ts'
import { call } from './call.ts'
import { infiniteListOptions } from './infinite-list.ts'
import { endpointKey } from './query-client.ts'

const runsOf = ({ runs }: TextSearch) => runs

/** The runs and reports of the organization that have a text, in pages of runs. */
export function textSearchOptions(search: string, limit?: number) {
  const input = { search, ...(limit !== undefined && { limit }) }
  return infiniteListOptions({
    queryKey: [...endpointKey(searchText, input), 'pages'],
    queryFn: ({ pageParam, signal }) => call(searchText, { ...input, pageToken: pageParam }, signal),
    getNextPageParam: (last) => last.nextPageToken ?? null,
    rowsOf: runsOf,
    // A page costs the engine seconds, and only new runs change it.
    staleTime: 60_000,
  })
}

/** The text that is searched; null if it is too short or too long. */
export function searchableText(typed: string): string | null {
  const text = typed.trim()
  return text.length >= textSearchLength.min && text.length <= textSearchLength.max ? text : null
}
