import type { ChartMeasure } from '#contract/charts.ts'

/**
 * Metrics with a maximum, which also limits the difference of two means. A separate file, because the worker needs it
 * without the texts.
 */
export const largestValues: Partial<Record<ChartMeasure, number>> = { solved: 1, passRate: 1, toolFailureRate: 1 }
