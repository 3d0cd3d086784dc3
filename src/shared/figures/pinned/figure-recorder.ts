import { QueryClient } from '@tanstack/react-query'

import { storeFigure } from '#src/api/report-figures.ts'
import { canBePinned, shapedResults } from './pinned-results.ts'

/**
 * A query client that shares the cache of another one and knows which queries were asked through it, so that the data of
 * one figure can be pinned.
 */
export class FigureRecorder extends QueryClient {
  readonly #asked = new Set<string>()

  constructor(shared: QueryClient) {
    super({
      queryCache: shared.getQueryCache(),
      mutationCache: shared.getMutationCache(),
      defaultOptions: shared.getDefaultOptions(),
    })
  }

  override defaultQueryOptions: QueryClient['defaultQueryOptions'] = (options) => {
    const complete = super.defaultQueryOptions(options)
    this.#asked.add(complete.queryHash)
    return complete
  }

  /** Stores what the figure shows now. Returns the id of the pinned figure. */
  async pin(page: string): Promise<string> {
    const { id } = await storeFigure(page, JSON.stringify(this.#shownResults()))
    return id
  }

  #shownResults() {
    const shown = [...this.#asked]
      .flatMap((hash) => this.getQueryCache().get(hash) ?? [])
      .filter((query) => query.isActive() && canBePinned(query.queryKey))
    const results = shapedResults(
      shown.map(({ queryKey, state }) => ({ key: queryKey, at: state.dataUpdatedAt, data: state.data })),
    )
    if (results.length === 0 || shown.some(({ state }) => state.status !== 'success'))
      throw new Error('The figure has not loaded. Wait until you see it, then pin it.')
    return results
  }
}
