import type { ChartRun } from '#contract/chart-runs.ts'
import type { ChartMetric } from '#contract/charts.ts'
import type { Point } from '#src/charts/PointLayer.tsx'

/** Runs as points; one without a value on either axis has no place and is left out, as the summary's `missing` counts. */
export function toPoints(
  runs: readonly ChartRun[],
  groups: readonly { group: string }[],
  { x, y }: { x: ChartMetric; y: ChartMetric },
): Point[] {
  const seriesOf = new Map(groups.map(({ group }, place) => [group, place]))
  return runs.flatMap(({ runUuid, group, metrics }) => {
    const series = seriesOf.get(group)
    const [across, up] = [metrics[x], metrics[y]]
    return series === undefined || across === null || up === null ? [] : [{ id: runUuid, x: across, y: up, series }]
  })
}

/** More would not fit a URL; a click on a denser place shows these first. */
const maxChosen = 40

export const chosenRunIds = (points: readonly Point[]) => points.slice(0, maxChosen).map(({ id }) => id)
