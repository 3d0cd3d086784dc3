import { z } from 'zod'

import { Outcome, OutcomeCounts } from './outcomes.ts'
import { Variant } from './variants.ts'
import { Timestamp } from './wire/query-values.ts'

export const ChartKind = z.enum(['tests', 'scatter', 'metric'])
export type ChartKind = z.infer<typeof ChartKind>

/** The reference of an experiment's built-in chart; percent-encode it in paths. */
export const chartReference = (experimentId: string, kind: ChartKind) => `chart:${experimentId}:${kind}`

export const readChartReference = (reference: string) => {
  const [, experimentId, kind] = /^chart:([^:]+):(tests|scatter|metric)$/.exec(reference) ?? []
  return experimentId && kind ? { experimentId, kind: kind as ChartKind } : null
}

export const ChartGroupBy = z.enum(['variant', 'model', 'agent', 'agent_mode', 'prompt', 'environment', 'product'])
export type ChartGroupBy = z.infer<typeof ChartGroupBy>

const filter = z.array(z.string()).default([])

/** Spec "Chart parameters"; an empty list applies no filter. */
const ChartParameters = z.object({
  groupBy: ChartGroupBy.default('variant'),
  version: z.string().optional(),
  agents: filter,
  agentModes: filter,
  models: filter,
  products: filter,
  environments: filter,
  promptIds: filter,
  fullPassOnly: z.boolean().default(false),
  includeTestAware: z.boolean().default(false),
})

export const HeatmapParameters = ChartParameters.extend({ testSearch: z.string().trim().default('') })
export type HeatmapParameters = z.output<typeof HeatmapParameters>

/** One test × one group; a group value of '' holds the runs with no recorded value. */
export const HeatmapCell = OutcomeCounts.extend({ group: z.string(), test: z.string() })
export type HeatmapCell = z.infer<typeof HeatmapCell>

/** `version` is what the parameters resolved to; counts cover the whole filtered population. */
export const HeatmapSummary = z.object({
  groupBy: ChartGroupBy,
  version: z.string(),
  groups: z.array(z.object({ group: z.string(), runs: z.int() })),
  cells: z.array(HeatmapCell),
  excludedTestAwareRuns: z.int(),
})
export type HeatmapSummary = z.infer<typeof HeatmapSummary>

/** One run behind a heatmap cell, with what its test came to. */
export const HeatmapRun = Variant.extend({
  id: z.string(),
  runId: z.uuid(),
  runRequestId: z.uuid(),
  repeat: z.int(),
  outcome: Outcome,
  durationMs: z.number().nullable(),
  endedAt: Timestamp,
})
export type HeatmapRun = z.infer<typeof HeatmapRun>

export const HeatmapRuns = z.object({
  groupBy: ChartGroupBy,
  groupValue: z.string(),
  testName: z.string(),
  total: z.int(),
  runs: z.array(HeatmapRun),
  nextCursor: z.string().nullable(),
})
export type HeatmapRuns = z.infer<typeof HeatmapRuns>

export const ResultView = z.enum(['summary', 'points', 'runs'])
export type ResultView = z.infer<typeof ResultView>
