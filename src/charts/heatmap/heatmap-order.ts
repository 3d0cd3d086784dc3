import type { HeatmapCell } from '#contract/charts.ts'
import { type OutcomeCounts, countedTests, noOutcomes, passRate } from '#contract/outcomes.ts'
import { type HeatmapGroup, type HeatmapMatrix, type HeatmapRow, addCounts, groupLabel } from './heatmap-matrix.ts'

export const heatmapSorts = ['spread', 'name', 'failures', 'flaky', 'difference'] as const
export type HeatmapSort = (typeof heatmapSorts)[number]

export const columnSorts = ['rate', 'name', 'runs'] as const
export type ColumnSort = (typeof columnSorts)[number]

/** The columns whose difference orders the rows. */
export type ColumnPair = { left: number; right: number }

type Order = { sort: HeatmapSort; pair?: ColumnPair | null }

/** A row with what it is ordered by; for a folder of tests, `unsteady` adds up what is below it. */
type Ordered = HeatmapRow & { unsteady: Unsteady }

/** How many outcomes of a row count, and how many of them disagree with the rest of their cell, twice. */
export type Unsteady = { counted: number; disagreeing: number }

/** Compares two rows. In every order but that by name, rows without a value come last. */
export function rowOrder({ sort, pair }: Order): (a: Ordered, b: Ordered) => number {
  const keyOf = keysOf(sort, pair)
  return (a, b) => (keyOf ? compareKeys(keyOf(a), keyOf(b)) : 0) || names.compare(a.test, b.test)
}

/** Natural order: `case 2` before `case 10`. */
const names = new Intl.Collator('en', { numeric: true })

const compareKeys = (a: number | null, b: number | null) => (a === b ? 0 : a === null ? 1 : b === null ? -1 : b - a)

function keysOf(sort: HeatmapSort, pair: ColumnPair | null | undefined): ((row: Ordered) => number | null) | null {
  if (sort === 'spread') return spreadOf
  if (sort === 'failures') return ({ total }) => negative(passRate(total))
  if (sort === 'flaky')
    return ({ unsteady }) => (unsteady.counted === 0 ? null : unsteady.disagreeing / unsteady.counted)
  return sort === 'difference' && pair ? (row) => differenceOf(row, pair) : null
}

/** The variance of the groups' pass shares. Tests that tell groups apart come first. */
function spreadOf({ cells }: HeatmapRow): number | null {
  let [groups, sum, squares] = [0, 0, 0]
  for (const cell of cells) {
    const rate = rateIn(cell)
    if (rate === null) continue
    groups += 1
    sum += rate
    squares += rate * rate
  }
  return groups === 0 ? null : squares / groups - (sum / groups) ** 2
}

const negative = (value: number | null) => (value === null ? null : -value)

/** The pass share in the left column minus that in the right one; null without both. */
export function differenceOf({ cells }: HeatmapRow, { left, right }: ColumnPair): number | null {
  const [one, other] = [rateIn(cells[left]), rateIn(cells[right])]
  return one === null || other === null ? null : one - other
}

const rateIn = (counts: OutcomeCounts | undefined) => (counts ? passRate(counts) : null)

/** 0 of the counted outcomes disagree if every group always has the same outcome; all do if each is a coin toss. */
export function unsteadiness({ cells }: HeatmapRow): Unsteady {
  const unsteady = { counted: 0, disagreeing: 0 }
  for (const cell of cells) {
    const counted = cell ? countedTests(cell) : 0
    if (!cell || counted === 0) continue
    unsteady.counted += counted
    unsteady.disagreeing += 2 * Math.min(cell.passed, counted - cell.passed)
  }
  return unsteady
}

export function sortRows(matrix: HeatmapMatrix, order: Order): HeatmapMatrix {
  const compare = rowOrder(order)
  const keyed = matrix.rows.map((row) => ({ ...row, unsteady: unsteadiness(row) })).sort(compare)
  return { ...matrix, rows: keyed.map(({ unsteady: _unsteady, ...row }) => row) }
}

/** Groups by name, or those with the highest pass share or the most runs first. */
export function sortGroups(
  groups: readonly HeatmapGroup[],
  cells: readonly HeatmapCell[],
  sort: ColumnSort,
): HeatmapGroup[] {
  const rates = sort === 'rate' ? ratesByGroup(cells) : null
  const keyOf = ({ group, runs }: HeatmapGroup) => (rates ? (rates.get(group) ?? null) : sort === 'runs' ? runs : 0)
  return groups.toSorted(
    (a, b) => compareKeys(keyOf(a), keyOf(b)) || names.compare(groupLabel(a.group), groupLabel(b.group)),
  )
}

function ratesByGroup(cells: readonly HeatmapCell[]) {
  const totals = new Map<string, OutcomeCounts>()
  for (const cell of cells) {
    const total = totals.get(cell.group) ?? { ...noOutcomes }
    totals.set(cell.group, total)
    addCounts(total, cell)
  }
  return new Map([...totals].map(([group, total]) => [group, passRate(total)]))
}
