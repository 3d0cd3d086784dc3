import { type Axis, type AxisFrom } from '#src/charts/nice-axis.ts'
import type { Point } from '#src/charts/PointLayer.tsx'
import { ellipseReach } from '#statistics/covariance-ellipse.ts'
import type { ScatterGroup } from './scatter-group.ts'

const quality: Axis = { low: 0, high: 1, ticks: [0, 0.2, 0.4, 0.6, 0.8, 1] }

/** Quality is always 0 to 1 and cost starts at zero. An ellipse of few runs may be huge, so it extends the axis by at most half. */
export function scatterAxes(
  groups: readonly ScatterGroup[],
  points: readonly Point[],
  axisFrom: AxisFrom,
): { x: Axis; y: Axis } {
  const furthest = points.reduce((most, { x }) => Math.max(most, x), 0)
  const seen = groups.reduce((most, { mean }) => Math.max(most, mean.x), furthest)
  const ellipses = groups.map(({ mean, ellipse }) => mean.x + (ellipse ? ellipseReach(ellipse) : 0))
  return { x: axisFrom(0, Math.min(Math.max(seen, ...ellipses), seen * 1.5) || 1), y: quality }
}
