import { queryOptions } from '@tanstack/react-query'

import { type ChartKind, charts, readChartReference, type SummaryOf } from '#contract/chart-kinds.ts'
import { getExperiment } from '#contract/experiments.ts'
import { executeInsight, getInsight } from '#contract/insights.ts'
import type { Provenance } from '#contract/insight-fields.ts'
import { listRuns } from '#contract/run-list.ts'
import { call } from './call.ts'
import { readChartData } from './charts.ts'
import { canReadAgain } from './errors.ts'
import { endpointKey } from './query-client.ts'

type ChartParametersAsSent = Record<string, unknown>

const rows = 1000

/** The current result of an insight cited in a report: the rows of a saved query or the summary of a built-in chart. */
export const citedInsightOptions = (ref: string, parameters: ChartParametersAsSent = {}) =>
  queryOptions({
    queryKey: [...endpointKey(getInsight, { ref, limit: rows }), 'cited', parameters],
    queryFn: ({ signal }) => readCited(ref, parameters, signal),
    retry: (failures, error) => failures < 1 && canReadAgain(error),
    staleTime: 60_000,
    refetchInterval: 60_000,
    structuralSharing: false,
  })

export type CitedInsight = Awaited<ReturnType<typeof readCited>>

async function readCited(ref: string, parameters: ChartParametersAsSent, signal: AbortSignal) {
  const chart = readChartReference(ref)
  if (!chart) return { kind: 'sql' as const, view: await call(getInsight, { ref, limit: rows }, signal) }
  // Asked first, so that the results have every run that has ended by then.
  const { unfinishedRunCount } = await call(getExperiment, { id: chart.experimentId }, signal)
  const response = await call(executeInsight, { ref, parameters, resultView: 'summary' }, signal)
  const data = readChartData(charts[chart.kind].views.summary, response)
  return { ...chart, data, isWhole: unfinishedRunCount === 0 && !response.pendingRuns } as CitedChart
}

/** The summary is whole if no run of the experiment is unfinished or not included yet. */
type CitedChart = {
  [Kind in ChartKind]: { kind: Kind; experimentId: string; data: SummaryOf<Kind>; isWhole: boolean }
}[ChartKind]

/** How many runs in an insight's scope have finished since a given time. */
export const finishedSinceOptions = ({ kind, experimentId }: Provenance, since: string) =>
  queryOptions({
    queryKey: [...endpointKey(listRuns, { experimentId, since, limit: 1 }), 'finished'],
    queryFn: async ({ signal }) => {
      const scope = kind === 'none' ? {} : { experimentId }
      const { statusCounts } = await call(listRuns, { ...scope, since, limit: 1 }, signal)
      return statusCounts.completed + statusCounts.errored + statusCounts.canceled
    },
    staleTime: 60_000,
  })
