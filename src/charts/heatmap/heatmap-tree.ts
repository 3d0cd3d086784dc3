import { noOutcomes, passRate } from '#contract/outcomes.ts'
import { unsharedNames } from '#src/charts/unshared-names.ts'
import { type HeatmapMatrix, type HeatmapRow, addCounts } from './heatmap-matrix.ts'
import { type Unsteady, unsteadiness } from './heatmap-order.ts'
import { type Segment, segmentsOf } from './test-path.ts'

/** A test, or a folder of tests with the sums of everything below it. The `test` of a folder is its path. */
export type TreeNode = HeatmapRow & {
  /** The test's name. A folder's ends with a slash, so that no test has it. */
  id: string
  label: string
  /** The rest of a test's path if no other test shares its folder. */
  detail: string
  unsteady: Unsteady
  tests: number
  children: TreeNode[]
}

/** A visible row of the tree. */
export type ShownRow = Omit<TreeNode, 'children'> & {
  level: number
  /** Null for a test. */
  isOpen: boolean | null
}

/** Rows as a tree by the segments of their tests' names. Folders exist where at least two tests share one. */
export function buildTree(rows: readonly HeatmapRow[], taskOf?: ReadonlyMap<string, string> | null): TreeNode[] {
  const named = rows.map((row) => ({ row, segments: segmentsOf(row.test, taskOf?.get(row.test)) }))
  const nodes = nodesOf(named, named.length > 1 ? sharedDepth(named, 0) : 0)
  if (nodes.some(({ children }) => children.length > 0)) return nodes
  const labels = unsharedNames(nodes.map(({ test }) => test))
  return nodes.map((node, place) => ({ ...node, label: labels[place] ?? node.test, detail: '' }))
}

type Named = { row: HeatmapRow; segments: Segment[] }

/** The first segment from `depth` on that the tests do not share, or that is the last of one of them. */
function sharedDepth(named: readonly Named[], depth: number): number {
  const [first] = named
  const shared = named.every(
    ({ segments }) => segments.length > depth + 1 && segments[depth]?.text === first?.segments[depth]?.text,
  )
  return shared ? sharedDepth(named, depth + 1) : depth
}

function nodesOf(named: readonly Named[], depth: number): TreeNode[] {
  const isAlone = ({ segments }: Named) => segments.length <= depth + 1
  const folders = Map.groupBy(
    named.filter((one) => !isAlone(one)),
    ({ segments }) => segments[depth]?.text ?? '',
  )
  const inFolders = [...folders.values()].map((inside) => {
    const [only] = inside
    return inside.length === 1 && only ? toLeaf(only, depth) : toFolder(inside, depth)
  })
  return [...named.filter(isAlone).map((one) => toLeaf(one, depth)), ...inFolders]
}

function toLeaf({ row, segments }: Named, depth: number): TreeNode {
  const [label, ...rest] = segments.slice(depth)
  return {
    ...row,
    id: row.test,
    label: label?.text ?? row.test,
    detail: rest[0] ? row.test.slice(rest[0].from) : '',
    unsteady: unsteadiness(row),
    tests: 1,
    children: [],
  }
}

/** Folders that hold a single folder are one row. */
function toFolder(inside: readonly Named[], depth: number): TreeNode {
  const below = sharedDepth(inside, depth)
  const path = inside[0]?.segments.slice(0, below).map(({ text }) => text) ?? []
  const children = nodesOf(inside, below)
  const node: TreeNode = {
    id: `${path.join('/')}/`,
    test: path.join('/'),
    label: path.slice(depth).join('/'),
    detail: '',
    total: { ...noOutcomes },
    cells: [],
    unsteady: { counted: 0, disagreeing: 0 },
    tests: 0,
    children,
  }
  for (const child of children) addNode(node, child)
  return node
}

function addNode(folder: TreeNode, child: TreeNode) {
  folder.tests += child.tests
  folder.unsteady.counted += child.unsteady.counted
  folder.unsteady.disagreeing += child.unsteady.disagreeing
  addCounts(folder.total, child.total)
  for (const [column, counts] of child.cells.entries()) {
    if (!counts) continue
    const sum = folder.cells[column] ?? { ...noOutcomes }
    folder.cells[column] = sum
    addCounts(sum, counts)
  }
}

/** The same tree with the rows of every folder in an order. */
export const sortTree = (nodes: readonly TreeNode[], order: (a: TreeNode, b: TreeNode) => number): TreeNode[] =>
  nodes
    .map((node) => (node.children.length === 0 ? node : { ...node, children: sortTree(node.children, order) }))
    .sort(order)

/** The rows that are visible while these folders are open. */
export function shownRows(nodes: readonly TreeNode[], isOpen: (id: string) => boolean, level = 0): ShownRow[] {
  return nodes.flatMap(({ children, ...node }) => {
    if (children.length === 0) return [{ ...node, level, isOpen: null }]
    const open = isOpen(node.id)
    const row = { ...node, level, isOpen: open }
    return open ? [row, ...shownRows(children, isOpen, level + 1)] : [row]
  })
}

/** The pass rate of each column over all tests: the rows at the top have the sums of everything below them. */
export function columnRates({ groups, rows }: HeatmapMatrix<ShownRow>): (number | null)[] {
  const totals = groups.map(() => ({ ...noOutcomes }))
  for (const row of rows) {
    if (row.level > 0) continue
    for (const [place, total] of totals.entries()) {
      const cell = row.cells[place]
      if (cell) addCounts(total, cell)
    }
  }
  return totals.map(passRate)
}

/** The ids of all folders. */
export const foldersOf = (nodes: readonly TreeNode[]): string[] =>
  nodes.flatMap(({ id, children }) => (children.length === 0 ? [] : [id, ...foldersOf(children)]))

/** The ids of the folders around a test. */
export function foldersAround(nodes: readonly TreeNode[], test: string): string[] {
  for (const { id, children } of nodes) {
    if (children.some((child) => child.children.length === 0 && child.test === test)) return [id]
    const inside = foldersAround(children, test)
    if (inside.length > 0) return [id, ...inside]
  }
  return []
}

/** The row that holds another one, by their places; -1 for a row at the top. */
export function parentOf(rows: readonly ShownRow[], place: number): number {
  const level = rows[place]?.level ?? 0
  return rows.slice(0, place).findLastIndex((row) => row.level < level)
}
