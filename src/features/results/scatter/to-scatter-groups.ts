import type { Covariance, EfficiencyMetric, QualityMetric, ScatterSummary } from '#contract/charts.ts'
import type { ScoreMeasure } from '#contract/scores.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import type { ScatterGroup } from '#src/charts/scatter/scatter-group.ts'
import { seriesOf } from '#src/charts/series.ts'
import { labelInSentence, meanOver, measureOf } from '#src/features/results/view/measures.ts'
import { counted } from '#src/format/numbers.ts'
import { ellipseOfMean } from '#statistics/covariance-ellipse.ts'
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

/** Groups as marks. A group needs at least one run with both values. */
export function toScatterGroups(groups: ScatterSummary['groups'], axes: ScatterAxes): ScatterGroup[] {
  const { quality, against } = axes
  const places = seriesOf(groups.map(({ group }) => groupLabel(group)))
  const placed = groups.flatMap((statistics) => {
    const { group } = statistics
    const { n, meanX, meanY, varianceX, varianceY, covariance } = jointOf(statistics, axes)
    if (meanX === null || meanY === null) return []
    const mean = { x: meanX, y: meanY }
    const hasSpread = varianceX !== null && varianceY !== null && covariance !== null
    const ellipse = hasSpread ? ellipseOfMean({ n, mean, varianceX, varianceY, covariance }) : null
    const label = groupLabel(group)
    return [{ group, label, series: places.get(label) ?? 0, mean, ellipse, n }]
  })
  const front = new Set(
    paretoFront(placed.map(({ group, mean }) => ({ group, cost: mean.x, quality: mean.y }))).map(({ group }) => group),
  )
  return placed.map(({ n, ...mark }) => ({
    ...mark,
    isOnFront: front.has(mark.group),
    words: `${mark.label}: ${nameOf(quality)} ${meanOver(quality, mark.mean.y, n)}, ${nameOf(against)} ${measureOf(against).format(mark.mean.x)}, ${counted(n, 'run')}`,
  }))
}

/** A metric's name within a sentence. */
export const nameOf = (metric: ScatterAxes['quality'] | EfficiencyMetric) => labelInSentence(metric)
