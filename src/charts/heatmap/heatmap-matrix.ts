import { nameOfAxes } from '#src/format/ids.ts'
import type { HeatmapCell, HeatmapSummary } from '#contract/charts.ts'
import { type OutcomeCounts, noOutcomes, outcomes } from '#contract/outcomes.ts'

export type HeatmapGroup = HeatmapSummary['groups'][number]

/** Tests as rows, groups as columns. A cell without runs is undefined: a gap, not a zero. */
export type HeatmapMatrix<Row extends HeatmapRow = HeatmapRow> = {
  groups: HeatmapGroup[]
  rows: Row[]
}
export type HeatmapRow = { test: string; total: OutcomeCounts; cells: (OutcomeCounts | undefined)[] }

export function toMatrix(groups: readonly HeatmapGroup[], cells: readonly HeatmapCell[]): HeatmapMatrix {
  const columnOf = new Map(groups.map(({ group }, column) => [group, column]))
  const rowOf = new Map<string, HeatmapRow>()
  for (const cell of cells) {
    const column = columnOf.get(cell.group)
    if (column === undefined) continue
    const row = rowOf.get(cell.test) ?? { test: cell.test, total: { ...noOutcomes }, cells: [] }
    rowOf.set(cell.test, row)
    row.cells[column] = cell
    addCounts(row.total, cell)
  }
  return { groups: [...groups], rows: [...rowOf.values()] }
}

export function addCounts(total: OutcomeCounts, added: OutcomeCounts) {
  for (const outcome of outcomes) total[outcome] += added[outcome]
}

/** The values of a group as words: `droid · claude-4.1-opus`. A run without a value says so. */
export const groupLabel = (group: string) =>
  nameOfAxes(
    group
      .split('~')
      .map((value) => value || 'none recorded')
      .join('~'),
  )
