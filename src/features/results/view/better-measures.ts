import type { ChartMeasure } from '#contract/charts.ts'
import { scoreNameOf } from '#contract/score-measures.ts'

/** Less of anything but a success or a score is better. */
export const isHigherBetter = (measure: ChartMeasure) =>
  measure === 'solved' || measure === 'passRate' || scoreNameOf(measure) !== null
