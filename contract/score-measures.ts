// This file has no schemas, so that the worker that compares runs doesn't load zod.

import type { ChartRun } from './chart-runs.ts'
import type { ChartMeasure, ChartMetric } from './charts.ts'
import type { ScoreMeasure } from './scores.ts'

const prefix = 'score:'

/** The name of a score, or null for any other measure. */
export const scoreNameOf = (measure: string | null | undefined): string | null =>
  measure?.startsWith(prefix) ? measure.slice(prefix.length) : null

export const measureOfScore = (name: string): ScoreMeasure => `${prefix}${name}`

/** The value of a run; a score is the one that the chart's parameters name. */
export const measuredValue = (run: Pick<ChartRun, 'metrics' | 'score'>, measure: ChartMeasure): number | null =>
  scoreNameOf(measure) === null ? run.metrics[measure as ChartMetric] : (run.score ?? null)
