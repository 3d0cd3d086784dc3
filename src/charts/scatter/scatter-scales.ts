import { type AxisScale, niceScale, type TickUnit } from '#src/charts/axis-scale.ts'
import type { Point } from '#src/charts/PointLayer.tsx'
import { ellipseReach } from '#statistics/covariance-ellipse.ts'
import type { ScatterGroup } from './scatter-group.ts'

const shares: AxisScale = { domain: [0, 1], ticks: [0, 0.2, 0.4, 0.6, 0.8, 1] }

/** Quality is 0 to 1 unless it is a score beyond, and cost starts at zero. An ellipse of few runs may be huge, so it extends the axis by at most half. */
export function scatterScales(
  groups: readonly ScatterGroup[],
  points: readonly Point[],
  tickUnit: TickUnit,
): { x: AxisScale; y: AxisScale } {
  const furthest = points.reduce((most, { x }) => Math.max(most, x), 0)
  const seen = groups.reduce((most, { mean }) => Math.max(most, mean.x), furthest)
  const ellipses = groups.map(({ mean, ellipse }) => mean.x + (ellipse ? ellipseReach(ellipse) : 0))
  const x = niceScale(0, Math.min(Math.max(seen, ...ellipses), seen * 1.5) || 1, tickUnit)
  return { x, y: qualityScale(groups, points) }
}

function qualityScale(groups: readonly ScatterGroup[], points: readonly Point[]): AxisScale {
  const means = groups.map(({ mean }) => mean.y)
  const low = points.reduce((least, { y }) => Math.min(least, y), Math.min(0, ...means))
  const high = points.reduce((most, { y }) => Math.max(most, y), Math.max(1, ...means))
  return low === 0 && high === 1 ? shares : niceScale(low, high)
}
