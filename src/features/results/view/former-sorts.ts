import { columnSorts, heatmapSorts } from '#src/charts/heatmap/heatmap-order.ts'

/**
 * The order of a heatmap's rows in an older link, which has it under the leaderboard's name. A leaderboard with a
 * baseline has a column `difference`.
 */
export const formerRowSort = (search: URLSearchParams) => {
  const sort = search.get('sort')
  return sort === 'difference' && search.has('baseline') ? undefined : heatmapSorts.find((known) => known === sort)
}

/** The order of a heatmap's columns in an older link, which has it under the name of the leaderboard's columns. */
export const formerColumnSort = (columns: string | null) => columnSorts.find((known) => known === columns)
