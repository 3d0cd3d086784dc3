import { unsharedNames } from '#src/charts/unshared-names.ts'
import type { HeatmapLabels } from './heatmap-geometry.ts'
import { type HeatmapMatrix, groupLabel } from './heatmap-matrix.ts'

export const toLabels = ({ rows, groups }: HeatmapMatrix): HeatmapLabels => ({
  tests: unsharedNames(rows.map(({ test }) => test)),
  groups: unsharedNames(groups.map(({ group }) => groupLabel(group))),
})
