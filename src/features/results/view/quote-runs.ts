import { measuredValue } from '#contract/score-measures.ts'
import type { ChartRun } from '#contract/chart-runs.ts'
import type { ChartMeasure } from '#contract/charts.ts'
import { nameOfAxes } from '#src/format/ids.ts'
import { tableText } from '#src/shared/clip/clip-quote.ts'
import { labelInSentence, measureOf } from './measures.ts'

/** Quotes the runs of a mark in a report; `total` counts all of them. */
export const quoteRuns = (runs: readonly ChartRun[], metrics: readonly ChartMeasure[], total = runs.length) =>
  tableText(
    ['run', ...metrics.map((metric) => labelInSentence(metric))],
    runs.map((run) => [
      `${nameOfAxes(run.variantId)} #${run.repeat}${run.mock ? ' mock' : ''}`,
      ...metrics.map((metric) => measureOf(metric).format(measuredValue(run, metric))),
    ]),
    total,
  )
