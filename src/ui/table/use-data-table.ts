import {
  columnVisibilityFeature,
  createSortedRowModel,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_basic,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useLocalStorage } from '@mantine/hooks'
import { useMemo, useState } from 'react'

import type { Column } from './column.ts'

const features = tableFeatures({
  rowSortingFeature,
  columnVisibilityFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic },
})

/** `name` sorts ascending and `-name` descending; '' keeps the given order. */
export type Sort = string

const toSorting = (sort: Sort): SortingState =>
  sort === '' ? [] : [{ id: sort.replace(/^-/, ''), desc: sort.startsWith('-') }]

const noSorting: SortingState = []

const toSort = ([first]: SortingState): Sort => (first ? `${first.desc ? '-' : ''}${first.id}` : '')

type Options<Row> = {
  /** The key under which this table's chosen columns are saved. */
  name: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowId: (row: Row) => string
  sort: Sort | undefined
  /** The rows arrive in this order, so they are not sorted again, and only the columns with `sort` can be sorted. */
  isSorted: boolean
  onSort: ((sort: Sort) => void) | undefined
  /** Which columns are shown, where the page decides; by default this browser remembers it. */
  columnChoice?: ColumnChoice | undefined
}

/** Columns that are shown or hidden although they are not by default. */
export type ColumnChoice = { chosen: Record<string, boolean>; onChoose: (next: Record<string, boolean>) => void }

/** The columns that this browser remembers for a table. */
export function useStoredColumns(name: string): ColumnChoice {
  const [chosen, onChoose] = useLocalStorage<Record<string, boolean>>({
    key: `assay.columns.${name}`,
    defaultValue: {},
  })
  return { chosen, onChoose }
}

/** What is missing is sorted last, and so is NaN, which has no place among numbers. */
const sortable = (value: string | number | null | undefined) =>
  value === null || Number.isNaN(value) ? undefined : value

/** Sorted rows and chosen columns. The caller (its URL) sets the order; otherwise the table does. */
export function useDataTable<Row extends object>(options: Options<Row>) {
  const { name, columns, rows, rowId, sort, isSorted, onSort, columnChoice } = options
  const [ownSort, setOwnSort] = useState<Sort>('')
  const stored = useStoredColumns(name)
  const { chosen, onChoose } = columnChoice ?? stored
  const sorted = (sort ?? ownSort).replace(/^-/, '')
  const isOrdered = !isSorted || columns.some((column) => column.id === sorted && column.sort !== undefined)
  const sorting = isOrdered ? toSorting(sort ?? ownSort) : noSorting
  const columnVisibility = {
    ...Object.fromEntries(columns.filter(({ optional }) => optional).map(({ id }) => [id, false])),
    ...chosen,
  }
  const definitions = useMemo(
    () =>
      columns.map((column) => ({
        id: column.id,
        accessorFn: (row: Row) => sortable(column.value?.(row)),
        enableSorting: isSorted ? column.sort !== undefined : column.value !== undefined,
        sortUndefined: 'last' as const,
        ...(column.isBestLow && { sortDescFirst: false }),
      })),
    [columns, isSorted],
  )
  const data = useMemo(() => [...rows], [rows])
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: rowId,
    manualSorting: isSorted,
    state: { sorting, columnVisibility },
    onSortingChange: (update) => {
      const next = toSort(typeof update === 'function' ? update(sorting) : update)
      if (onSort) onSort(next)
      else setOwnSort(next)
    },
  })
  const visible = columns.filter(({ id }) => columnVisibility[id] !== false)
  return {
    sorted: table.getRowModel().rows.map((row) => row.original),
    visible,
    isChosen: (id: string) => columnVisibility[id] !== false,
    choose: (id: string, on: boolean) => onChoose({ ...chosen, [id]: on }),
    canSort: (id: string) => table.getColumn(id)?.getCanSort() ?? false,
    sortDirection: (id: string) => table.getColumn(id)?.getIsSorted() || null,
    toggleSort: (id: string) => table.getColumn(id)?.toggleSorting(),
  }
}
