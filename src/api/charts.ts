import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'

import { ChartPoints, type ChartRun, ChartRuns, pointAt } from '#contract/chart-runs.ts'
import {
  type ChartKind,
  type ChartParameters,
  HeatmapRuns,
  HeatmapSummary,
  type HeatmapParameters,
  type MetricParameters,
  MetricSummary,
  ScatterSummary,
  chartReference,
} from '#contract/charts.ts'
import { executeInsight } from '#contract/insights.ts'
import { call } from './call.ts'
import { ApiError } from './errors.ts'
import { infiniteListOptions } from './infinite-list.ts'
import { endpointKey } from './query-client.ts'

type Cell = { groupValue: string; testName: string }

export const heatmapOptions = (experimentId: string, parameters: HeatmapParameters) =>
  summaryOptions(HeatmapSummary, { experimentId, kind: 'tests', parameters })

/** Quality against efficiency, group by group. */
export const scatterOptions = (experimentId: string, parameters: ChartParameters) =>
  summaryOptions(ScatterSummary, { experimentId, kind: 'scatter', parameters })

/** How one metric spreads, group by group. */
export const metricOptions = (experimentId: string, parameters: MetricParameters) =>
  summaryOptions(MetricSummary, { experimentId, kind: 'metric', parameters })

type Chart = { experimentId: string; kind: ChartKind; parameters: ChartParameters }

const toInput = ({ experimentId, kind, parameters }: Chart) => ({ ref: chartReference(experimentId, kind), parameters })

function summaryOptions<Data extends z.ZodType<object>>(shape: Data, chart: Chart) {
  const input = { ...toInput(chart), resultView: 'summary' as const }
  return queryOptions({
    queryKey: endpointKey(executeInsight, input),
    queryFn: async ({ signal }) => {
      const answer = await call(executeInsight, input, signal)
      return { ...readChartData(shape, answer), pendingRuns: answer.pendingRuns ?? 0 }
    },
  })
}

const runsOf = <Run>({ runs }: { runs: Run[] }) => runs

/** The runs behind one cell, by cursor. */
export const heatmapRunsOptions = (experimentId: string, parameters: HeatmapParameters, cell: Cell) => {
  const input = { ...toInput({ experimentId, kind: 'tests', parameters }), resultView: 'runs' as const, ...cell }
  return infiniteListOptions({
    queryKey: [...endpointKey(executeInsight, input), 'pages'],
    queryFn: async ({ pageParam, signal }) =>
      readChartData(HeatmapRuns, await call(executeInsight, { ...input, cursor: pageParam }, signal)),
    getNextPageParam: (last) => last.nextCursor,
    rowsOf: runsOf,
  })
}

/** The runs of one group, by cursor. */
export const chartRunsOfGroupOptions = (experimentId: string, parameters: ChartParameters, groupValue: string) => {
  const chart = toInput({ experimentId, kind: 'scatter', parameters })
  const input = { ...chart, resultView: 'runs' as const, groupValue }
  return infiniteListOptions({
    queryKey: [...endpointKey(executeInsight, input), 'pages'],
    queryFn: async ({ pageParam, signal }) =>
      readChartData(ChartRuns, await call(executeInsight, { ...input, cursor: pageParam }, signal)),
    getNextPageParam: (last) => last.nextCursor,
    rowsOf: runsOf,
  })
}

/** More than these are not drawn or compared in the browser; `total` then says how many there are. */
const maxPoints = 100_000

/** Every run a chart covers, each with its metrics: the pages one after the other. */
export const chartRunsOptions = (experimentId: string, parameters: ChartParameters) => {
  const input = { ...toInput({ experimentId, kind: 'scatter', parameters }), resultView: 'points' as const }
  return queryOptions({
    queryKey: endpointKey(executeInsight, input),
    queryFn: async ({ signal }) => {
      const runs: ChartRun[] = []
      const first = await call(executeInsight, input, signal)
      let page = readChartData(ChartPoints, first)
      addPoints(runs, page)
      while (page.nextCursor && runs.length < maxPoints) {
        page = readChartData(ChartPoints, await call(executeInsight, { ...input, cursor: page.nextCursor }, signal))
        addPoints(runs, page)
      }
      return { version: page.version, total: page.total, runs, pendingRuns: first.pendingRuns ?? 0 }
    },
    // Its rows are many and never edited in place; comparing old with new would cost more than drawing them.
    structuralSharing: false,
    staleTime: 30_000,
  })
}

function addPoints(runs: ChartRun[], page: ChartPoints) {
  for (let place = 0; place < page.columns.runUuid.length; place += 1) {
    const run = pointAt(page, place)
    if (run) runs.push(run)
  }
}

/** `chartDataJson` is a JSON string to parse once; what is in it is checked like every other answer. */
function readChartData<Data extends z.ZodType>(shape: Data, { chartDataJson }: { chartDataJson: string }) {
  const parsed = shape.safeParse(JSON.parse(chartDataJson))
  if (parsed.success) return parsed.data
  throw new ApiError('unexpected_response', 'The chart data is not what the API promises')
}
