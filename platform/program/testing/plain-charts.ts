import {
  ChartMetric,
  EfficiencyMetric,
  type MetricGroup,
  type QualityMetric,
  type ScatterSummary,
  type singleGroupings,
} from '#contract/charts.ts'
import { plainCovariance, plainDistribution } from './plain-statistics.ts'

/** The input of the charts, one object per run. */
export type PlainRun = { group: string | null; prompt: string; metrics: Record<ChartMetric, number | null> }

type OfRun = Record<'variantId' | 'agent', string> &
  Record<'model' | 'agentMode' | 'prompt' | 'environment' | 'product', string | null>

export const groupOf: Record<(typeof singleGroupings)[number], (run: OfRun) => string | null> = {
  variant: (run) => run.variantId,
  model: (run) => run.model,
  agent: (run) => run.agent,
  agent_mode: (run) => run.agentMode,
  prompt: (run) => run.prompt,
  environment: (run) => run.environment,
  product: (run) => run.product,
}

/** Groups sorted by the bytes of their names, like the engine does. */
function groupsOf(runs: readonly PlainRun[]) {
  const groups = new Map<string, PlainRun[]>()
  for (const run of runs) groups.set(run.group ?? '', [...(groups.get(run.group ?? '') ?? []), run])
  return [...groups].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
}

const statisticsOf = (runs: readonly PlainRun[]) => ({
  runs: runs.length,
  metrics: Object.fromEntries(
    ChartMetric.options.map((metric) => [metric, plainDistribution(runs.map(({ metrics }) => metrics[metric]))]),
  ),
  covariances: covariancesOf(runs, 'passRate'),
  solvedCovariances: covariancesOf(runs, 'solved'),
})

const covariancesOf = (runs: readonly PlainRun[], quality: QualityMetric) =>
  Object.fromEntries(
    EfficiencyMetric.options.map((metric) => [
      metric,
      plainCovariance(runs.map(({ metrics }) => [metrics[metric], metrics[quality]] as const)),
    ]),
  )

/** The covariances of the means of prompts, each over its runs with both values. */
const overPromptsOf = (runs: readonly PlainRun[], quality: QualityMetric) =>
  Object.fromEntries(
    EfficiencyMetric.options.map((metric) => {
      const both = runs.filter(({ metrics }) => metrics[metric] !== null && metrics[quality] !== null)
      const means = [...Map.groupBy(both, ({ prompt }) => prompt).values()].map((ofPrompt) =>
        ([metric, quality] as const).map(
          (name) => ofPrompt.reduce((sum, { metrics }) => sum + (metrics[name] ?? 0), 0) / ofPrompt.length,
        ),
      )
      return [metric, plainCovariance(means.map(([x = null, y = null]) => [x, y] as const))]
    }),
  )

/** The groups and totals of a scatterplot, computed by a plain loop over the runs. */
export const plainScatter = (runs: readonly PlainRun[]) =>
  ({
    groups: groupsOf(runs).map(([group, members]) => ({
      group,
      ...statisticsOf(members),
      overPrompts: { passRate: overPromptsOf(members, 'passRate'), solved: overPromptsOf(members, 'solved') },
    })),
    totals: statisticsOf(runs),
  }) as Pick<ScatterSummary, 'groups' | 'totals'>

/** The groups of a metric comparison with their box plots, computed by a plain loop over the runs. */
export const plainMetric = (runs: readonly PlainRun[], metric: ChartMetric): MetricGroup[] =>
  groupsOf(runs).map(([group, members]) => {
    const spread = plainDistribution(members.map(({ metrics }) => metrics[metric]))
    const values = members.flatMap(({ metrics }) => metrics[metric] ?? [])
    const [q1, q3] = [spread.q1 ?? Number.NaN, spread.q3 ?? Number.NaN]
    const near = values.filter((value) => value >= q1 - 1.5 * (q3 - q1) && value <= q3 + 1.5 * (q3 - q1))
    return {
      group,
      runs: members.length,
      ...spread,
      lowerWhisker: near.length === 0 ? null : Math.min(...near),
      upperWhisker: near.length === 0 ? null : Math.max(...near),
      outliers: values.length - near.length,
    }
  })
