import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'

import { HeatmapRuns, HeatmapSummary, type HeatmapParameters, chartReference } from '#contract/charts.ts'
import { executeInsight } from '#contract/insights.ts'
import { call } from './call.ts'
import { ApiError } from './errors.ts'
import { endpointKey } from './query-client.ts'

type Cell = { groupValue: string; testName: string }

export const heatmapOptions = (experimentId: string, parameters: HeatmapParameters) => {
  const input = { ref: chartReference(experimentId, 'tests'), parameters, resultView: 'summary' as const }
  return queryOptions({
    queryKey: endpointKey(executeInsight, input),
    queryFn: async ({ signal }) => readChartData(HeatmapSummary, await call(executeInsight, input, signal)),
  })
}

/** The runs behind one cell, by cursor. */
export const heatmapRunsOptions = (experimentId: string, parameters: HeatmapParameters, cell: Cell) => {
  const input = { ref: chartReference(experimentId, 'tests'), parameters, resultView: 'runs' as const, ...cell }
  return infiniteQueryOptions({
    queryKey: [...endpointKey(executeInsight, input), 'pages'],
    queryFn: async ({ pageParam, signal }) =>
      readChartData(HeatmapRuns, await call(executeInsight, { ...input, cursor: pageParam }, signal)),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  })
}

/** `chartDataJson` is a JSON string to parse once; what is in it is checked like every other answer. */
function readChartData<Data extends z.ZodType>(shape: Data, { chartDataJson }: { chartDataJson: string }) {
  const parsed = shape.safeParse(JSON.parse(chartDataJson))
  if (parsed.success) return parsed.data
  throw new ApiError('unexpected_response', 'The chart data is not what the API promises')
}
