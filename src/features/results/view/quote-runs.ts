import type { ChartRun } from '#contract/chart-runs.ts'
import type { ChartMetric } from '#contract/charts.ts'
import { nameOfAxes } from '#src/format/ids.ts'
import { tableText } from '#src/clip/clip-quote.ts'
import { measures } from './measures.ts'

/** Quotes the runs of a mark in a report; `total` counts all of them. */
export const quoteRuns = (runs: readonly ChartRun[], metrics: readonly ChartMetric[], total = runs.length) =>
  tableText(
    ['run', ...metrics.map((metric) => measures[metric].label.toLowerCase())],
    runs.map(({ variantId, repeat, mock, metrics: measured }) => [
      `${nameOfAxes(variantId)} #${repeat}${mock ? ' mock' : ''}`,
      ...metrics.map((metric) => measures[metric].format(measured[metric])),
    ]),
    total,
  )
