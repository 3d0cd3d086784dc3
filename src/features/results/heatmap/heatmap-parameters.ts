import { type ColumnSort, type HeatmapSort, columnSorts, heatmapSorts } from '#src/charts/heatmap/heatmap-order.ts'
import { formerColumnSort, formerRowSort } from '#src/features/results/view/former-sorts.ts'

/** What the URL says of the order of a heatmap and of its open folders. */
export type HeatmapState = {
  sort: HeatmapSort
  columns: ColumnSort
  /** The groups whose difference orders the rows; null where the URL leaves it to the shown order. */
  left: string | null
  right: string | null
  /** The column that the table is sorted by, with `-` before it for the largest first; '' for the order above. */
  tableSort: string
  /** Ids of the open folders, all or none of them; null where the number of tests decides. */
  open: ReadonlySet<string> | 'all' | 'none' | null
}

export function readHeatmapState(search: URLSearchParams): HeatmapState {
  return {
    sort: heatmapSorts.find((sort) => sort === search.get('sort_rows')) ?? formerRowSort(search) ?? 'spread',
    columns:
      columnSorts.find((sort) => sort === search.get('sort_columns')) ??
      formerColumnSort(search.get('columns')) ??
      'rate',
    left: search.get('column_left'),
    right: search.get('column_right'),
    tableSort: search.get('table_sort') ?? '',
    open: readOpen(search.getAll('open')),
  }
}

function readOpen(open: readonly string[]): HeatmapState['open'] {
  const [first] = open
  if (first === undefined) return null
  return first === 'all' || first === 'none' ? first : new Set(open)
}

/** This many tests open with every folder open: they fit a screen or two. */
const openedTests = 40

type Tree = { folders: readonly string[]; tests: number; isSearched: boolean }

/** The folders that are open. What a search found is always shown unless the URL says otherwise. */
export function openFolders(open: HeatmapState['open'], { folders, tests, isSearched }: Tree): ReadonlySet<string> {
  const asked = open ?? (isSearched || tests <= openedTests ? 'all' : 'none')
  if (asked === 'all') return new Set(folders)
  return asked === 'none' ? new Set() : asked
}

/** The value of the parameter `open`; the ids of folders end with a slash, so none of them is `all` or `none`. */
export function writeOpen(open: ReadonlySet<string>, folders: readonly string[]): string | readonly string[] {
  const known = folders.filter((id) => open.has(id))
  if (known.length === 0) return 'none'
  return known.length === folders.length ? 'all' : known
}

/** The columns of the two chosen groups; the first and the last column where the URL names none. */
export function pairOf(groups: readonly { group: string }[], { left, right }: Pick<HeatmapState, 'left' | 'right'>) {
  if (groups.length < 2) return null
  const columnOf = (group: string | null, other: number) => {
    const place = groups.findIndex((one) => one.group === group)
    return place < 0 ? other : place
  }
  const first = columnOf(left, 0)
  const last = columnOf(right, groups.length - 1)
  return { left: first, right: last }
}
