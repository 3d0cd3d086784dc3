import type { Axis } from '#src/charts/nice-axis.ts'
import type { Point } from '#src/charts/PointLayer.tsx'
import type { BoxGroup } from './box-group.ts'

/** The least value above zero, null without one, and the greatest value of groups and points. */
export function extentOf(groups: readonly BoxGroup[], points: readonly Point[]) {
  const extent: { least: number | null; lowest: number; most: number } = { least: null, lowest: 0, most: 0 }
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

/** Logarithms on an axis. Zero has none, so it is drawn at the low end. */
export function toLog({ low }: Axis) {
  const of = (value: number) => (value > 0 ? Math.max(low, Math.log10(value)) : low)
  const orNull = (value: number | null) => (value === null ? null : of(value))
  const ofGroup = (group: BoxGroup): BoxGroup => ({
    ...group,
    mean: orNull(group.mean),
    min: orNull(group.min),
    q1: orNull(group.q1),
    median: orNull(group.median),
    q3: orNull(group.q3),
    max: orNull(group.max),
    lowerWhisker: orNull(group.lowerWhisker),
    upperWhisker: orNull(group.upperWhisker),
  })
  return { of, ofGroup }
}
