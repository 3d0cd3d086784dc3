import type { Covariance, EfficiencyMetric, QualityMetric, ScatterSummary } from '#contract/charts.ts'
import type { ScoreMeasure } from '#contract/scores.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import type { ScatterGroup } from '#src/charts/scatter/scatter-group.ts'
import { seriesOf } from '#src/charts/series.ts'
import { labelInSentence, meanInWords, measureOf } from '#src/features/results/view/measures.ts'
import { counted } from '#src/format/numbers.ts'
import { ellipseOfMean, fewestSampled } from '#statistics/covariance-ellipse.ts'
import { paretoFront } from '#statistics/pareto-front.ts'

/** The metrics on the two axes. */
export type ScatterAxes = { quality: QualityMetric | ScoreMeasure; against: EfficiencyMetric }

const nothing: Covariance = { n: 0, meanX: null, meanY: null, varianceX: null, varianceY: null, covariance: null }

/** How both metrics vary together over the runs of a group. A chart pinned long ago has no solved runs. */
export function jointOf(statistics: ScatterSummary['totals'], { quality, against }: ScatterAxes): Covariance {
  const { covariances, solvedCovariances, scoreCovariances } = statistics
  const ofQuality = quality === 'solved' ? solvedCovariances : quality === 'passRate' ? covariances : scoreCovariances
  return ofQuality?.[against] ?? nothing
}

/**
 * The means of both metrics and how they vary. The mean is that of the prompts' means, and from four prompts on the prompts
 * are a sample; with fewer, or in a chart pinned before prompts were told apart, the runs are.
 */
export function sampleOf(statistics: ScatterSummary['groups'][number], axes: ScatterAxes): Covariance {
  const { quality, against } = axes
  const ofQuality = statistics.overPrompts?.[quality === 'solved' || quality === 'passRate' ? quality : 'score']
  const [prompts, runs] = [ofQuality?.[against], jointOf(statistics, axes)]
  if (!prompts) return runs
  return prompts.n >= fewestSampled ? prompts : { ...runs, meanX: prompts.meanX, meanY: prompts.meanY }
}

/** Groups as marks. A group needs at least one run with both values. */
export function toScatterGroups(groups: ScatterSummary['groups'], axes: ScatterAxes): ScatterGroup[] {
  const { quality, against } = axes
  const places = seriesOf(groups.map(({ group }) => groupLabel(group)))
  const placed = groups.flatMap((statistics) => {
    const { group } = statistics
    const { n, meanX, meanY, varianceX, varianceY, covariance } = sampleOf(statistics, axes)
    if (meanX === null || meanY === null) return []
    const mean = { x: meanX, y: meanY }
    const hasSpread = varianceX !== null && varianceY !== null && covariance !== null
    const ellipse = hasSpread ? ellipseOfMean({ n, mean, varianceX, varianceY, covariance }) : null
    const label = groupLabel(group)
    return [{ group, label, series: places.get(label) ?? 0, mean, ellipse, n: jointOf(statistics, axes).n }]
  })
  const front = new Set(
    paretoFront(placed.map(({ group, mean }) => ({ group, cost: mean.x, quality: mean.y }))).map(({ group }) => group),
  )
  return placed.map(({ n, ...mark }) => ({
    ...mark,
    isOnFront: front.has(mark.group),
    words: `${mark.label}: ${measureName(quality)} ${meanInWords(quality, mark.mean.y)}, ${measureName(against)} ${measureOf(against).format(mark.mean.x)}, ${counted(n, 'run')}`,
  }))
}

/** A metric's name within a sentence. */
export const measureName = (metric: ScatterAxes['quality'] | EfficiencyMetric) => labelInSentence(metric)
