import type { InsightFilters } from '#src/api/insights.ts'

export const filterNames = ['search', 'owner', 'label', 'experiment', 'run'] as const

/** The list's filters as its URL says them. */
export const readInsightFilters = (search: URLSearchParams): InsightFilters =>
  Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = search.get(name)?.trim()
      return value ? [[name, value]] : []
    }),
  )
