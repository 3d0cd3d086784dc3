import type { InsightFilters } from '#src/api/insights.ts'

export const filterNames = ['search', 'owner', 'label', 'experiment', 'run'] as const

/** Reads the list's filters from the URL. */
export const readInsightFilters = (search: URLSearchParams): InsightFilters =>
  Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = search.get(name)?.trim()
      return value ? [[name, value]] : []
    }),
  )
