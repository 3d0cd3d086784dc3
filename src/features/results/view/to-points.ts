import { measuredValue } from '#contract/score-measures.ts'
import type { ChartRun } from '#contract/chart-runs.ts'
import type { ChartMeasure } from '#contract/charts.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import type { Point } from '#src/charts/PointLayer.tsx'
import { seriesOf } from '#src/charts/series.ts'

/** Runs as points. A run without both values is omitted and counted as `missing` in the summary. */
export function toPoints(
  runs: readonly ChartRun[],
  groups: readonly { group: string }[],
  { x, y }: { x: ChartMeasure; y: ChartMeasure },
): Point[] {
  const places = seriesOf(groups.map(({ group }) => groupLabel(group)))
  return runs.flatMap((run) => {
    const { runUuid, group } = run
    const series = places.get(groupLabel(group))
    const [across, up] = [measuredValue(run, x), measuredValue(run, y)]
    return series === undefined || across === null || up === null
      ? []
      : [{ id: runUuid, x: across, y: up, group, series }]
  })
}

/** A URL has no room for more; a click on a denser spot shows the first of them. */
const maxChosen = 40

export const chosenRunIds = (points: readonly Point[]) => points.slice(0, maxChosen).map(({ id }) => id)
