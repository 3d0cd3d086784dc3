import { type AxisScale, logScale, niceScale, type Scale, type TickUnit } from '#src/charts/axis-scale.ts'
import type { Point } from '#src/charts/PointLayer.tsx'
import type { BoxGroup } from './box-group.ts'

export type BoxAxis = {
  label: string
  format: (value: number) => string
  tickUnit: TickUnit
  /** The ends of a linear axis, if it has them whatever the values are. */
  lowest?: number | undefined
  largest?: number | undefined
}

type Extent = { least: number | null; lowest: number; most: number }

/** The axis of the values of all groups and points. Zero has no logarithm, so it is drawn at the low end. */
export function boxScale(
  groups: readonly BoxGroup[],
  points: readonly Point[],
  { tickUnit, lowest: start, largest }: BoxAxis,
  scale: Scale,
): AxisScale & { scale: Scale; clamp: (value: number) => number } {
  const { least, lowest, most } = extentOf(groups, points)
  if (scale === 'linear' || least === null)
    return { ...niceScale(start ?? lowest, largest ?? (most || 1), tickUnit), scale: 'linear', clamp: (value) => value }
  const axis = logScale(least, most, tickUnit)
  return { ...axis, scale: 'log', clamp: (value) => Math.max(axis.domain[0], value) }
}

/** The least value above zero, the lowest one if it is negative, and the largest one. */
function extentOf(groups: readonly BoxGroup[], points: readonly Point[]): Extent {
  const extent: Extent = { least: null, lowest: 0, most: 0 }
  const include = (value: number | null | undefined) => {
    if (value === null || value === undefined) return
    extent.most = Math.max(extent.most, value)
    extent.lowest = Math.min(extent.lowest, value)
    if (value > 0) extent.least = Math.min(extent.least ?? value, value)
  }
  for (const { min, q1, median, q3, max, dot } of groups) {
    if (dot) [dot.value, dot.interval?.high].forEach(include)
    else [min, q1, median, q3, max].forEach(include)
  }
  for (const { x } of points) include(x)
  return extent
}
