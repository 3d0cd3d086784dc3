import { unsharedNames } from '#src/charts/unshared-names.ts'
import type { HeatmapLabels } from './heatmap-geometry.ts'
import { type HeatmapGroup, groupLabel } from './heatmap-matrix.ts'
import type { ShownRow } from './heatmap-tree.ts'

export const groupLabels = (groups: readonly HeatmapGroup[]) =>
  unsharedNames(groups.map(({ group }) => groupLabel(group)))

/** Rows are indented only where some of them are folders. */
export function toLabels(rows: readonly ShownRow[], groups: readonly HeatmapGroup[]): HeatmapLabels {
  const isTree = rows.some(({ isOpen }) => isOpen !== null)
  return {
    tests: rows.map(({ label, detail, level, isOpen, tests }) => ({
      text: label,
      detail: isOpen === null ? detail : `${tests} tests`,
      ...(isTree && { level }),
    })),
    groups: groupLabels(groups),
  }
}
