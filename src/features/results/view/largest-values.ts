import type { ChartMetric } from '#contract/charts.ts'

/** Metrics with an upper end, which is also how far apart two means can be. Alone, for a worker needs no words of them. */
export const largestValues: Partial<Record<ChartMetric, number>> = { passRate: 1 }
