import type { HeatmapCell, HeatmapSummary } from '#contract/charts.ts'
import { type OutcomeCounts, countedTests, noOutcomes, outcomes, passRate } from '#contract/outcomes.ts'

export type HeatmapGroup = HeatmapSummary['groups'][number]

/** Tests as rows, groups as columns. A cell without runs is undefined: a gap, not a zero. */
export type HeatmapMatrix = {
  groups: HeatmapGroup[]
  rows: HeatmapRow[]
}
export type HeatmapRow = { test: string; total: OutcomeCounts; cells: (OutcomeCounts | undefined)[] }

export const heatmapSorts = ['name', 'failures', 'flaky'] as const
export type HeatmapSort = (typeof heatmapSorts)[number]

export function toMatrix(groups: readonly HeatmapGroup[], cells: readonly HeatmapCell[]): HeatmapMatrix {
  const columnOf = new Map(groups.map(({ group }, column) => [group, column]))
  const rowOf = new Map<string, HeatmapRow>()
  for (const cell of cells) {
    const column = columnOf.get(cell.group)
    if (column === undefined) continue
    const row = rowOf.get(cell.test) ?? { test: cell.test, total: { ...noOutcomes }, cells: [] }
    rowOf.set(cell.test, row)
    row.cells[column] = cell
    for (const outcome of outcomes) row.total[outcome] += cell[outcome]
  }
  return { groups: [...groups], rows: [...rowOf.values()] }
}

/** Natural order for names (`case 2` before `case 10`). In the other orders, tests without counted outcomes come last. */
export function sortRows(matrix: HeatmapMatrix, sort: HeatmapSort): HeatmapMatrix {
  const keyed = matrix.rows.map((row) => ({ row, key: sort === 'name' ? 0 : sortKeys[sort](row) }))
  keyed.sort((a, b) => b.key - a.key || names.compare(a.row.test, b.row.test))
  return { ...matrix, rows: keyed.map(({ row }) => row) }
}

const names = new Intl.Collator('en', { numeric: true })

const sortKeys: Record<Exclude<HeatmapSort, 'name'>, (row: HeatmapRow) => number> = {
  failures: ({ total }) => 1 - (passRate(total) ?? 2),
  flaky: (row) => flakiness(row),
}

/** How inconsistent a test is within groups: 0 if every group always has the same outcome, 1 if each is a coin toss. */
function flakiness({ cells }: HeatmapRow) {
  let weight = 0
  let disagreement = 0
  for (const cell of cells) {
    const counted = cell ? countedTests(cell) : 0
    if (!cell || counted === 0) continue
    weight += counted
    disagreement += 2 * Math.min(cell.passed, counted - cell.passed)
  }
  return weight === 0 ? -1 : disagreement / weight
}

export const groupLabel = (group: string) => (group === '' ? 'none recorded' : group)
