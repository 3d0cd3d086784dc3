import { z } from 'zod'

import { chartAxes } from './grouping-axes.ts'
import { LeftOutRuns } from './infrastructure.ts'
import { MixedImage } from './mixed-images.ts'
import { Outcome, OutcomeCounts } from './outcomes.ts'
import { ScoreMeasure } from './scores.ts'
import { Variant } from './variants.ts'
import { Timestamp } from '#contract/wire/query-values.ts'

/** `summary` is one row per group, `points` one row per run, and `runs` the runs of one group or heatmap cell. */
export const ResultView = z.enum(['summary', 'points', 'runs'])
export type ResultView = z.infer<typeof ResultView>

/**
 * The axes of a variant, and additions to the API document: the version of a run (`v3`), and the day on which it ended
 * or that week's Monday (`2026-11-22`, UTC); the tags of a run together (`unclear task + wrong api`), so that each run is in one group.
 */
export const ChartAxis = z.enum(chartAxes)
export type ChartAxis = z.infer<typeof ChartAxis>

/** The groupings that the API document names. */
export const singleGroupings = ['variant', ...ChartAxis.exclude(['version', 'day', 'week', 'tags']).options] as const

/**
 * What a chart groups runs by: `variant`, an axis, or several axes joined by `~`, such as `agent~model`. The values of a
 * group are joined the same way; a run without a value on an axis has '' there.
 */
export const ChartGroupBy = z
  .string()
  .regex(new RegExp(`^(variant|(${ChartAxis.options.join('|')})(~(${ChartAxis.options.join('|')}))*)$`), {
    error: `must be "variant", one of ${ChartAxis.options.join(', ')}, or several of these joined by "~", such as "agent~model"`,
  })
  .refine((text) => new Set(text.split('~')).size === text.split('~').length, { error: 'names an axis twice' })
export type ChartGroupBy = z.infer<typeof ChartGroupBy>

/**
 * Measures of a run. `solved` is 1 if every test of the run passed and 0 if not; its mean is the solved rate. `passRate`
 * is the share of tests that passed, from 0 to 1, and `toolFailureRate` the share of tool calls that failed, null without
 * any. The others are US dollars, seconds and counts.
 */
export const ChartMetric = z.enum([
  'solved',
  'passRate',
  'costUsd',
  'wallSeconds',
  'toolCalls',
  'toolFailures',
  'toolFailureRate',
  'inputTokens',
  'outputTokens',
  'totalTokens',
])
export type ChartMetric = z.infer<typeof ChartMetric>

/** A metric, or a score of the run by its name, which is an addition to the API document. */
export const ChartMeasure = z.union([ChartMetric, ScoreMeasure])
export type ChartMeasure = ChartMetric | ScoreMeasure

/** How good a group is: what a scatterplot draws upwards. */
export const QualityMetric = ChartMetric.extract(['passRate', 'solved'])
export type QualityMetric = z.infer<typeof QualityMetric>

/** The metrics to compare quality with. */
export const EfficiencyMetric = ChartMetric.exclude(['solved', 'passRate', 'toolFailureRate'])
export type EfficiencyMetric = z.infer<typeof EfficiencyMetric>

const filter = z.array(z.string()).max(10_000).default([])

/** The parameters that every chart has. An empty list applies no filter. */
export const ChartParameters = z.object({
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
  /**
   * Leaves out, of each request, the prompts from the first with unfinished runs on, in the order of the queue. A
   * leaderboard always does, and other charts if this is true.
   */
  endedPromptsOnly: z.boolean().optional(),
})
export type ChartParameters = z.output<typeof ChartParameters>

export const HeatmapParameters = ChartParameters.extend({ testSearch: z.string().trim().default('') })
export type HeatmapParameters = z.output<typeof HeatmapParameters>

export const MetricParameters = ChartParameters.extend({ metric: ChartMeasure.default('costUsd') })
export type MetricParameters = z.output<typeof MetricParameters>

/** `quality` adds a score to the test pass rate and the solved rate, which a scatterplot always has. */
export const ScatterParameters = ChartParameters.extend({ quality: ScoreMeasure.optional() })
export type ScatterParameters = z.output<typeof ScatterParameters>

const count = z.int().min(0)

/**
 * What a result leaves out, and what else its reader should know. `leftOutRuns`: runs that are left out, by cause.
 * `mixedImages`: environments whose runs used more than one image, with the digests.
 */
export const Omissions = z.object({
  excludedTestAwareRuns: count,
  leftOutRuns: LeftOutRuns,
  mixedImages: z.array(MixedImage),
})
export type Omissions = z.infer<typeof Omissions>

/** `version` is a fingerprint or `all`. Numbers cover the whole filtered population. */
export const Population = Omissions.extend({ groupBy: ChartGroupBy, version: z.string() })

/**
 * The prompts with unfinished runs, of a chart that leaves out runs whose prompt has not ended, and the ended runs that it
 * leaves out for that reason.
 */
export const Unfinished = z.object({ prompts: count, endedRuns: count })
export type Unfinished = z.infer<typeof Unfinished>

/**
 * Fields of every summary of a chart. `scores`: the names of the scores of its runs; absent in figures that were pinned
 * before there were any. `unfinished` is absent if all runs have ended.
 */
export const ChartPopulation = Population.extend({
  scores: z.array(z.string()).optional(),
  unfinished: Unfinished.optional(),
})
export type ChartPopulation = z.infer<typeof ChartPopulation>

/** One test in one group. The group '' contains the runs without a recorded value. */
export const HeatmapCell = OutcomeCounts.extend({ group: z.string(), test: z.string() })
export type HeatmapCell = z.infer<typeof HeatmapCell>

/**
 * One test over all groups. It is flaky if it both passed and failed within one variant of one version; `flakyVariants`
 * counts those pairs of variant and version.
 */
export const HeatmapTest = OutcomeCounts.extend({ test: z.string(), flaky: z.boolean(), flakyVariants: count })
export type HeatmapTest = z.infer<typeof HeatmapTest>

export const HeatmapSummary = ChartPopulation.extend({
  groups: z.array(z.object({ group: z.string(), runs: count })),
  cells: z.array(HeatmapCell),
  tests: z.array(HeatmapTest),
})
export type HeatmapSummary = z.infer<typeof HeatmapSummary>

/** One run of a heatmap cell, with the outcome of its test. `failure`: what a test that did not pass printed about it. */
export const HeatmapRun = Variant.extend({
  id: z.string(),
  runId: z.string(),
  runUuid: z.uuid(),
  runRequestId: z.uuid(),
  repeat: z.int(),
  outcome: Outcome,
  durationMs: z.number().nullable(),
  endedAt: Timestamp,
  failure: z.string().optional(),
})
export type HeatmapRun = z.infer<typeof HeatmapRun>

export const HeatmapRuns = z.object({
  groupBy: ChartGroupBy,
  groupValue: z.string(),
  testName: z.string(),
  total: count,
  runs: z.array(HeatmapRun),
  nextCursor: z.string().nullable(),
})
export type HeatmapRuns = z.infer<typeof HeatmapRuns>

const measured = z.number().nullable()

/**
 * Distribution of one metric over runs. `n` runs have a value and `missing` runs have none, which never counts as zero.
 * `sd` divides by n − 1. Quartiles interpolate linearly between order statistics, including both ends (R type 7,
 * NumPy's default). Values are null if n is 0; `sd` also if n is 1.
 */
export const Distribution = z.object({
  n: count,
  missing: count,
  mean: measured,
  sd: measured,
  min: measured,
  q1: measured,
  median: measured,
  q3: measured,
  max: measured,
})
export type Distribution = z.infer<typeof Distribution>

/**
 * A quality metric (y) against one efficiency metric (x) over the `n` runs that have both. Variances and covariance divide by
 * n − 1 and are null if n < 2. Means are null if n = 0.
 */
export const Covariance = z.object({
  n: count,
  meanX: measured,
  meanY: measured,
  varianceX: measured,
  varianceY: measured,
  covariance: measured,
})
export type Covariance = z.infer<typeof Covariance>

const ScatterStatistics = z.object({
  runs: count,
  metrics: z.record(ChartMetric, Distribution),
  /** Of the test pass rate. */
  covariances: z.record(EfficiencyMetric, Covariance),
  /** Absent in charts that were pinned before there was one. */
  solvedCovariances: z.record(EfficiencyMetric, Covariance).optional(),
  /** Of the score that `quality` names. */
  scoreCovariances: z.record(EfficiencyMetric, Covariance).optional(),
})

const PromptCovariances = z.record(EfficiencyMetric, Covariance)

/**
 * Groups sorted by value. `totals` covers the runs of all groups. `overPrompts` has the covariances of the means of a
 * group's prompts, each over its runs with both values; `n` counts prompts,
 * or, where a prompt names its task, as many tasks of equal size. Charts that were pinned before it existed lack it.
 */
export const ScatterSummary = ChartPopulation.extend({
  groups: z.array(
    ScatterStatistics.extend({
      group: z.string(),
      overPrompts: z
        .object({ passRate: PromptCovariances, solved: PromptCovariances, score: PromptCovariances.optional() })
        .optional(),
    }),
  ),
  totals: ScatterStatistics,
})
export type ScatterSummary = z.infer<typeof ScatterSummary>

/**
 * Times of runs that a time limit or a person ended, which would have taken longer: how many, and the median that allows for
 * that (Kaplan and Meier 1958), which is at least the longest time where too few runs ended by themselves.
 */
const CutTimes = z.object({ runs: count, median: measured, medianIsAtLeast: z.boolean() })

/** `cut` is only in groups of `wallSeconds` with such runs. Whiskers end at the most extreme values within 1.5 × (q3 − q1) of the quartiles. Values beyond them are outliers. */
export const MetricGroup = Distribution.extend({
  group: z.string(),
  runs: count,
  lowerWhisker: measured,
  upperWhisker: measured,
  outliers: count,
  cut: CutTimes.optional(),
})
export type MetricGroup = z.infer<typeof MetricGroup>

export const MetricSummary = ChartPopulation.extend({ metric: ChartMeasure, groups: z.array(MetricGroup) })
export type MetricSummary = z.infer<typeof MetricSummary>
