import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState, use } from 'react'

import { type OutcomeCounts, passRate } from '#contract/outcomes.ts'
import { unsharedNames } from '#src/charts/unshared-names.ts'
import { counted, pointsText } from '#src/format/numbers.ts'
import { reveal } from '#src/ui/reveal.ts'
import { TruncatedText } from '#src/ui/TruncatedText.tsx'
import { FigureContext } from '#src/ui/FigureContext.ts'
import { OutcomeBar } from '#src/ui/OutcomeBar.tsx'
import { describeCounts } from '#src/ui/status-marks.ts'
import type { Column } from '#src/ui/table/column.ts'
import { RowFilter } from '#src/ui/table/RowFilter.tsx'
import { useDataTable } from '#src/ui/table/use-data-table.ts'
import { ScrollRegion } from '#src/ui/ScrollRegion.tsx'
import tableRegion from '#src/ui/table/table-region.module.css'
import { groupLabels } from './heatmap-labels.ts'
import { type HeatmapGroup, type HeatmapMatrix, type HeatmapRow, groupLabel } from './heatmap-matrix.ts'
import { type ColumnPair, differenceOf } from './heatmap-order.ts'
import { cellText } from './heatmap-palette.ts'
import classes from './HeatmapTable.module.css'

/** With more, a figure has only those around what is shown. */
const figureRows = 1000

type Cell = { test: string; group: string }

type Props = {
  matrix: HeatmapMatrix
  selected: Cell | null
  onSelect: (cell: Cell) => void
  /** A column, with `-` before it for the largest first; '' for the order of the matrix. */
  sort: string
  onSort: (sort: string) => void
  /** The columns whose difference has a column of its own; null for none. */
  compared: ColumnPair | null
}

/** The heatmap's cells as an ordinary table of buttons, for screen readers, copying and printing. */
export function HeatmapTable({ matrix, selected, onSelect, sort, onSort, compared }: Props) {
  const [search, setSearch] = useState('')
  const scroller = useRef<HTMLDivElement>(null)
  const { groups } = matrix
  const columns = useMemo(() => toColumns(groups, compared), [groups, compared])
  const rows = useMemo(() => matchingRows(matrix.rows, search), [matrix.rows, search])
  const table = useDataTable({
    name: 'tests by group',
    columns,
    rows,
    rowId: ({ test }) => test,
    sort,
    isSorted: false,
    onSort,
  })
  const { sorted } = table
  const virtualizer = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 32,
    // A figure of a report is evidence: it has every row, on paper and on its public page too.
    overscan: use(FigureContext) === 'page' ? 12 : figureRows,
  })
  const shown = virtualizer.getVirtualItems()
  const rowNames = useMemo(() => shortNames(matrix.rows), [matrix.rows])
  const before = shown[0]?.start ?? 0
  const after = virtualizer.getTotalSize() - (shown.at(-1)?.end ?? 0)
  return (
    <>
      <RowFilter label="tests" value={search} onChange={setSearch} matching={rows.length} total={matrix.rows.length} />
      <ScrollRegion ref={scroller} className={tableRegion.scroller} label="Tests by group, scrollable">
        <table className={classes.table} aria-label="Tests by group" aria-rowcount={sorted.length + 1}>
          <thead>
            <tr>
              {columns.map((column, place) => (
                <HeadCell
                  key={column.id}
                  column={column}
                  runs={groups[place - (columns.length - groups.length)]?.runs ?? null}
                  direction={table.sortDirection(column.id)}
                  onSort={() => table.toggleSort(column.id)}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {before > 0 && <tr aria-hidden style={{ height: before }} />}
            {shown.map(({ index }) => {
              const row = sorted[index]
              const name = row && (rowNames.get(row.test) ?? row.test)
              return row && <TestRow key={row.test} {...{ row, name, index, groups, selected, onSelect, compared }} />
            })}
            {after > 0 && <tr aria-hidden style={{ height: after }} />}
          </tbody>
        </table>
      </ScrollRegion>
    </>
  )
}

function toColumns(groups: readonly HeatmapGroup[], compared: ColumnPair | null): Column<HeatmapRow>[] {
  const names = groupLabels(groups)
  const nameAt = (place: number) => groupLabel(groups[place]?.group ?? '')
  return [
    { id: 'test', header: 'Test', value: ({ test }) => test },
    { id: 'all', header: 'All groups', value: ({ total }) => passRate(total) },
    ...(compared
      ? [
          {
            id: 'difference',
            header: 'Difference',
            hint: `${nameAt(compared.left)} − ${nameAt(compared.right)}, in points`,
            value: (row: HeatmapRow) => differenceOf(row, compared),
          },
        ]
      : []),
    ...groups.map(({ group }, place): Column<HeatmapRow> => ({
      id: `group ${group}`,
      header: names[place] ?? '',
      hint: groupLabel(group),
      value: ({ cells }) => (cells[place] ? passRate(cells[place]) : null),
    })),
  ]
}

function matchingRows(rows: readonly HeatmapRow[], search: string) {
  const searched = search.trim().toLowerCase()
  return searched === '' ? rows : rows.filter(({ test }) => test.toLowerCase().includes(searched))
}

function shortNames(rows: readonly HeatmapRow[]) {
  const names = unsharedNames(rows.map(({ test }) => test))
  return new Map(rows.map(({ test }, place) => [test, names[place] ?? test]))
}

type HeadProps = {
  column: Column<HeatmapRow>
  runs: number | null
  direction: 'asc' | 'desc' | null
  onSort: () => void
}

const HeadCell = ({ column: { header, hint = header }, runs, direction, onSort }: HeadProps) => (
  <th scope="col" aria-sort={direction ? (direction === 'asc' ? 'ascending' : 'descending') : undefined}>
    <button type="button" className={classes.sort} onClick={onSort}>
      <TruncatedText whole={hint}>{header}</TruncatedText>
      {direction === 'asc' && <IconArrowUp size={12} aria-hidden />}
      {direction === 'desc' && <IconArrowDown size={12} aria-hidden />}
    </button>
    {runs !== null && <span className={classes.runs}>{counted(runs, 'run')}</span>}
  </th>
)

const toneOf = (counts: OutcomeCounts) => {
  const rate = passRate(counts)
  return rate === null ? 'skipped' : rate === 1 ? 'passed' : rate === 0 ? 'failed' : 'unresolved'
}

type RowProps = Pick<Props, 'selected' | 'onSelect' | 'compared'> & {
  row: HeatmapRow
  name: string | undefined
  index: number
  groups: readonly HeatmapGroup[]
}

function TestRow({ row, name = row.test, index, groups, selected, onSelect, compared }: RowProps) {
  const { test } = row
  return (
    <tr aria-rowindex={index + 2}>
      <th scope="row">
        <TruncatedText whole={test}>{name}</TruncatedText>
      </th>
      <td>
        <OutcomeBar counts={row.total} />
      </td>
      {compared && <td>{pointsText(differenceOf(row, compared))}</td>}
      {groups.map(({ group }, column) => {
        const counts = row.cells[column]
        const isSelected = selected?.test === test && selected.group === group
        return (
          <td key={group}>
            {counts && (
              <button
                type="button"
                ref={isSelected ? reveal : undefined}
                className={classes.cell}
                data-tone={toneOf(counts)}
                aria-label={`${test}, ${groupLabel(group)}: ${describeCounts(counts)}. ${cellText(counts, true)}`}
                aria-pressed={isSelected}
                onClick={() => onSelect({ test, group })}
              >
                {cellText(counts, true)}
              </button>
            )}
          </td>
        )
      })}
    </tr>
  )
}
