import { Button, NativeSelect } from '@mantine/core'

import { type HeatmapGroup, groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import type { ColumnPair } from '#src/charts/heatmap/heatmap-order.ts'
import { TestSearch } from '#src/features/results/view/TestSearch.tsx'
import { UrlSelect } from '#src/features/results/view/UrlSelect.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { type HeatmapState, writeOpen } from './heatmap-parameters.ts'

const sorts = [
  { value: 'spread', label: 'Most telling first' },
  { value: 'name', label: 'By name' },
  { value: 'failures', label: 'Most failing first' },
  { value: 'flaky', label: 'Most flaky first' },
  { value: 'difference', label: 'By difference' },
]

const columnSorts = [
  { value: 'rate', label: 'Best column first' },
  { value: 'name', label: 'Columns by name' },
  { value: 'runs', label: 'Most runs first' },
]

type Props = {
  state: HeatmapState
  groups: readonly HeatmapGroup[]
  pair: ColumnPair | null
  /** The ids of all folders and of the open ones. */
  folders: readonly string[]
  open: ReadonlySet<string>
  isChart: boolean
}

/** The order of rows and columns, the two columns to compare, and whether all folders are open. */
export function HeatmapControls({ state, groups, pair, folders, open, isChart }: Props) {
  const url = useQueryState()
  const areAllOpen = folders.every((id) => open.has(id))
  return (
    <>
      <TestSearch />
      {isChart && folders.length > 0 && (
        <Button
          size="xs"
          variant="default"
          fw={450}
          onClick={() => url.set({ open: writeOpen(new Set(areAllOpen ? [] : folders), folders) })}
        >
          {areAllOpen ? 'Close all' : 'Open all'}
        </Button>
      )}
      <UrlSelect
        label="Sort tests"
        param="sort_rows"
        hasNoDefault
        value={state.sort}
        choices={pair ? sorts : sorts.slice(0, -1)}
      />
      {state.sort === 'difference' && pair && (
        <>
          <ColumnSelect label="First column of the difference" param="column_left" column={pair.left} groups={groups} />
          <span aria-hidden>−</span>
          <ColumnSelect
            label="Second column of the difference"
            param="column_right"
            column={pair.right}
            groups={groups}
          />
        </>
      )}
      {groups.length > 1 && (
        <UrlSelect label="Sort columns" param="sort_columns" hasNoDefault value={state.columns} choices={columnSorts} />
      )}
    </>
  )
}

type ColumnProps = { label: string; param: string; column: number; groups: readonly HeatmapGroup[] }

function ColumnSelect({ label, param, column, groups }: ColumnProps) {
  const url = useQueryState()
  return (
    <NativeSelect
      size="xs"
      maw={200}
      aria-label={label}
      value={String(column)}
      onChange={({ currentTarget }) => url.set({ [param]: groups[Number(currentTarget.value)]?.group ?? null })}
      data={groups.map(({ group }, place) => ({
        value: String(place),
        label: groupLabel(group),
      }))}
    />
  )
}
