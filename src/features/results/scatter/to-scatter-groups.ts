import type { EfficiencyMetric, ScatterSummary } from '#contract/charts.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import type { ScatterGroup } from '#src/charts/scatter/scatter-group.ts'
import { seriesOf } from '#src/charts/series.ts'
import { meanOver, measures } from '#src/features/results/view/measures.ts'
import { counted } from '#src/format/numbers.ts'
import { ellipseOfMean } from '#statistics/covariance-ellipse.ts'
import { paretoFront } from '#statistics/pareto-front.ts'

/** Groups as marks. A group needs at least one run with both values. */
export function toScatterGroups(groups: ScatterSummary['groups'], against: EfficiencyMetric): ScatterGroup[] {
  const places = seriesOf(groups.map(({ group }) => groupLabel(group)))
  const placed = groups.flatMap(({ group, covariances }) => {
    const { n, meanX, meanY, varianceX, varianceY, covariance } = covariances[against]
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
    words: `${mark.label}: test pass rate ${meanOver('passRate', mark.mean.y, n)}, ${measures[against].label.toLowerCase()} ${measures[
      against
    ].format(mark.mean.x)}, ${counted(n, 'run')}`,
  }))
}
