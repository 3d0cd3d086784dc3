import { z } from 'zod'

import { ChartPoints, ChartRuns } from './chart-runs.ts'
import {
  HeatmapParameters,
  HeatmapRuns,
  HeatmapSummary,
  MetricParameters,
  MetricSummary,
  ScatterParameters,
  ScatterSummary,
} from './charts.ts'
import { LeaderboardParameters, LeaderboardSummary } from './leaderboard.ts'

const runsOfGroup = { points: ChartPoints, runs: ChartRuns }

/**
 * The built-in charts of an experiment: the parameters of each, and the answer of each of its result views.
 * platform/analysis/charts/built-in-charts.ts computes them, src/features/results/results-views.tsx shows them.
 */
export const charts = {
  tests: { parameters: HeatmapParameters.strict(), views: { summary: HeatmapSummary, runs: HeatmapRuns } },
  scatter: { parameters: ScatterParameters.strict(), views: { summary: ScatterSummary, ...runsOfGroup } },
  metric: { parameters: MetricParameters.strict(), views: { summary: MetricSummary, ...runsOfGroup } },
  leaderboard: { parameters: LeaderboardParameters.strict(), views: { summary: LeaderboardSummary, ...runsOfGroup } },
} as const

export type ChartKind = keyof typeof charts
export const ChartKind = z.enum(Object.keys(charts) as ChartKind[])

/** The charts that a list of insights has for an experiment: the API's own. The leaderboard is an addition. */
export const listedCharts: readonly ChartKind[] = ['tests', 'scatter', 'metric']

export type ParametersOf<Kind extends ChartKind> = z.output<(typeof charts)[Kind]['parameters']>
export type SummaryOf<Kind extends ChartKind> = z.output<(typeof charts)[Kind]['views']['summary']>

/** The reference of an experiment's built-in chart. Percent-encode it in paths. */
export const chartReference = (experimentId: string, kind: ChartKind) => `chart:${experimentId}:${kind}`

export function readChartReference(reference: string) {
  const [, experimentId, name] = /^chart:([^:]+):([^:]+)$/.exec(reference) ?? []
  const kind = ChartKind.safeParse(name).data
  return experimentId && kind ? { experimentId, kind } : null
}
