import { type DefaultedQueryObserverOptions, hashKey, QueryClient, skipToken } from '@tanstack/react-query'

import { type PinnedResult, readResults, resultFingerprint } from './pinned-results.ts'

/** How old live data may be when it is compared. */
const comparedAgeMs = 30_000

const neverAgain = {
  staleTime: Infinity,
  gcTime: Infinity,
  retry: false,
  refetchInterval: false,
  refetchOnMount: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const

const refuse = () => Promise.reject(new Error('This was not pinned. Open the live page to see it.'))

/**
 * A query client that has the data of one pinned figure and asks the API for nothing else, so a view inside it draws what
 * it drew when the figure was pinned. Queries with `meta.isCalculated` need no API and run as usual.
 */
export class PinnedClient extends QueryClient {
  readonly #results: readonly PinnedResult[]
  readonly #asked = new Map<string, DefaultedQueryObserverOptions>()

  constructor(results: readonly PinnedResult[]) {
    super()
    this.#results = results
    for (const { key, at, data } of results) this.setQueryData(key, data, { updatedAt: at })
  }

  override defaultQueryOptions: QueryClient['defaultQueryOptions'] = (options) => {
    const complete = super.defaultQueryOptions(options)
    if (options._defaulted) return complete
    if (typeof complete.queryFn === 'function')
      this.#asked.set(complete.queryHash, complete as unknown as DefaultedQueryObserverOptions)
    const isCalculated = complete.meta?.['isCalculated'] === true || complete.queryFn === skipToken
    return { ...complete, ...neverAgain, ...(!isCalculated && { queryFn: refuse }) }
  }

  /** Asks for the same data again and says whether it differs from the pinned data. */
  async hasChanged(live: QueryClient): Promise<boolean> {
    const compared = this.#results.map(async (result) => {
      const before = resultFingerprint(result)
      const asked = this.#asked.get(hashKey(result.key))
      if (before === undefined || !asked) return false
      const data = await live.fetchQuery({ ...asked, staleTime: comparedAgeMs })
      return resultFingerprint({ key: result.key, data }) !== before
    })
    return (await Promise.all(compared)).includes(true)
  }

  /** Loads the same data again, for the live view. */
  async refresh(live: QueryClient): Promise<void> {
    const asked = this.#results.flatMap(({ key }) => this.#asked.get(hashKey(key)) ?? [])
    await Promise.all(asked.map((query) => live.fetchQuery({ ...query, staleTime: 0 })))
  }
}

/** Reads a pinned figure; null if its data is unreadable. */
export function openPinned(resultsJson: string): PinnedClient | null {
  try {
    const results = readResults(resultsJson)
    return results.length > 0 ? new PinnedClient(results) : null
  } catch {
    // Anyone can write the data: text that is no JSON, or lists nested so deeply that reading them fails.
    return null
  }
}
