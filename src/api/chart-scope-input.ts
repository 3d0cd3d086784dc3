import { chartFilters } from '#contract/chart-columns.ts'
import type { ChartParameters } from '#contract/charts.ts'

/** The filters of a chart as query parameters, without those that do nothing. */
export const chartScopeInput = ({ version, fullPassOnly, includeTestAware, ...filters }: ChartParameters) => ({
  ...(version && { version }),
  ...Object.fromEntries(chartFilters.flatMap((name) => (filters[name].length > 0 ? [[name, filters[name]]] : []))),
  ...(fullPassOnly && { fullPassOnly }),
  ...(includeTestAware && { includeTestAware }),
})
