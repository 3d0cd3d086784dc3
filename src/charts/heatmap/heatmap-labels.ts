import { visibleText } from '#contract/visible-text.ts'
import { cutMiddle } from '#src/charts/cut-names.ts'
import { unsharedNames } from '#src/charts/unshared-names.ts'
import type { HeatmapLabels, RowLabel } from './heatmap-geometry.ts'
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

/** Kept, because every frame draws names. */
const drawn = new WeakMap<readonly RowLabel[], { room: number; names: readonly string[] }>()

/** The name of a row in so many characters. Where names are longer, what all have in common goes first. */
export function nameInRoom(labels: readonly RowLabel[], row: number, room: number): string {
  const names = namesInRoom(labels, room)
  return cutMiddle(names[row] ?? '', room)
}

function namesInRoom(labels: readonly RowLabel[], room: number): readonly string[] {
  const known = drawn.get(labels)
  // Rows of a tree have rooms of their own, and share their folders' names already.
  const isTree = labels[0]?.level !== undefined
  if (known && (isTree || known.room === room)) return known.names
  const texts = labels.map(({ text }) => visibleText(text))
  const names = isTree ? texts : unsharedNames(texts, room)
  drawn.set(labels, { room, names })
  return names
}
