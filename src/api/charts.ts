import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'

import { findTaskIn } from '#contract/prompt-tasks.ts'
import { ChartPoints, type ChartRun, ChartRuns, pointAt } from '#contract/chart-runs.ts'
import { type ChartKind, chartReference, charts, type ParametersOf, type SummaryOf } from '#contract/chart-kinds.ts'
import { HeatmapParameters, HeatmapRuns, type ScatterParameters } from '#contract/charts.ts'
import { executeInsight } from '#contract/insights.ts'
import { call } from './call.ts'
import { ApiError } from './errors.ts'
import { infiniteListOptions } from './infinite-list.ts'
import { endpointKey } from './query-client.ts'

type Cell = { groupValue: string; testName: string }

/** The summary of a built-in chart, with the number of ended runs that it does not have yet. */
export function chartOptions<Kind extends ChartKind>(kind: Kind, experimentId: string, parameters: ParametersOf<Kind>) {
  const input = { ...toInput({ experimentId, kind, parameters }), resultView: 'summary' as const }
  return queryOptions({
    queryKey: endpointKey(executeInsight, input),
    queryFn: async ({ signal }) => {
      const response = await call(executeInsight, input, signal)
      const data = readChartData(charts[kind].views.summary, response) as SummaryOf<Kind>
      return { ...data, pendingRuns: response.pendingRuns ?? 0 }
    },
  })
}

type Chart = { experimentId: string; kind: ChartKind; parameters: ParametersOf<ChartKind> }

const toInput = ({ experimentId, kind, parameters }: Chart) => ({ ref: chartReference(experimentId, kind), parameters })

const runsOf = <Run>({ runs }: { runs: Run[] }) => runs

/** The runs behind one cell, in pages. */
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

type VariantTest = { version: string; variantId: string; testName: string }

/** The newest runs of a variant that have a test, with its outcome, whichever requests they belong to. */
export const variantTestOptions = (experimentId: string, { version, variantId, testName }: VariantTest) => {
  const parameters = HeatmapParameters.parse({ version, includeTestAware: true })
  const chart = toInput({ experimentId, kind: 'tests', parameters })
  const input = { ...chart, resultView: 'runs' as const, groupValue: variantId, testName }
  return queryOptions({
    queryKey: endpointKey(executeInsight, input),
    queryFn: async ({ signal }) => readChartData(HeatmapRuns, await call(executeInsight, input, signal)),
    staleTime: 60_000,
  })
}

/** The runs of one group, in pages. */
export const chartRunsOfGroupOptions = (experimentId: string, parameters: ScatterParameters, groupValue: string) => {
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

/** The browser draws and compares at most this many; `total` has the full number. */
const maxPoints = 100_000

/** Every run a chart covers, with its metrics, loaded page after page. */
export const chartRunsOptions = (experimentId: string, parameters: ScatterParameters) => {
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
    // There are many rows and they are never edited in place, so comparing old with new would cost more than drawing
    // them.
    structuralSharing: false,
    staleTime: 30_000,
  })
}

function addPoints(runs: ChartRun[], page: ChartPoints) {
  const findTask = findTaskIn(page.promptTasks)
  for (let place = 0; place < page.columns.runUuid.length; place += 1) {
    const run = pointAt(page, place)
    if (!run) continue
    const task = findTask(run.prompt)
    runs.push(task === undefined ? run : { ...run, task })
  }
}

/** `chartDataJson` is a JSON string; its content is validated like every other response. */
export function readChartData<Data extends z.ZodType>(shape: Data, { chartDataJson }: { chartDataJson: string }) {
  const parsed = shape.safeParse(JSON.parse(chartDataJson))
  if (parsed.success) return parsed.data
  throw new ApiError('unexpected_response', 'The chart data doesn’t match the API')
}
