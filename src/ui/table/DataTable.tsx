import { Skeleton } from '@mantine/core'
import { type ReactNode, use } from 'react'

import { type Empty, EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorNotice, type Failure } from '#src/ui/ErrorNotice.tsx'
import { counted } from '#src/format/numbers.ts'
import { FigureContext } from '#src/ui/FigureContext.ts'
import { LoadMore } from '#src/ui/LoadMore.tsx'
import type { Column } from './column.ts'
import classes from './DataTable.module.css'
import { TableFrame } from './TableFrame.tsx'
import { TableHead } from './TableHead.tsx'
import { TableRows } from './TableRows.tsx'
import { type ColumnChoice, type Sort, useDataTable } from './use-data-table.ts'
import { type RowSelection, useRowSelection } from './use-row-selection.ts'
import { useTableTools } from './use-table-tools.tsx'

const skeletonWidths = [72, 56, 64, 48, 60, 52]

function TableSkeleton<Row>({ columns, isSelectable }: { columns: readonly Column<Row>[]; isSelectable: boolean }) {
  return (
    <tbody aria-hidden>
      {skeletonWidths.map((width) => (
        <tr key={width} className={classes.row}>
          {isSelectable && <td className={classes.selectCell} aria-label="Not loaded yet" />}
          {columns.map((column) => (
            <td key={column.id} className={classes.cell} data-from={column.from}>
              <Skeleton height={10} width={`${width}%`} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}

/** Rows that are at hand, or those of a request, which may be missing. */
type RowSource<Row> =
  | { rows: readonly Row[]; error?: undefined; onRetry?: undefined }
  | { rows: readonly Row[] | undefined; error: Failure | null; onRetry: () => void }

type Props<Row extends object> = RowSource<Row> & {
  /**
   * The plural noun of the rows in lower case, such as "experiments". Names the table, its CSV file and its saved
   * columns.
   */
  label: string
  columns: readonly Column<Row>[]
  rowId: (row: Row) => string
  rowHref?: (row: Row) => string
  empty: Empty
  sort?: Sort
  /** The rows arrive in the order of `sort`, and the columns with `sort` can be sorted. */
  isSorted?: boolean
  onSort?: (sort: Sort) => void
  /** Shown above the rows on the left. */
  filters?: ReactNode
  /** New rows wait, and rows that no longer match stay dimmed, so that the list does not move under the cursor. */
  waiting?: { count: number; movedIds?: ReadonlySet<string>; isReordered?: boolean; onShow: () => void }
  /** Further pages. Until all are loaded, only the platform can sort the list, and the CSV reads the other rows too. */
  more?: { pending: boolean; onMore: () => void; readAll: () => Promise<readonly Row[]> } | null
  /** Replaces the download of the rows as CSV. */
  onExport?: () => void
  /** Where the page decides which columns are shown, as from its URL. */
  columnChoice?: ColumnChoice
  /** The columns keep their widths, and the table scrolls sideways where they need more room. */
  isWide?: boolean
  /** Rows get a checkbox. */
  selection?: RowSelection<Row>
}

/** A figure of a report is evidence, so it has every row of all but the longest tables. */
const figureRows = 200

const noRows: never[] = []
const noIds: ReadonlySet<string> = new Set()

/** The table of every list: loading, failed with retry, empty with the next step, or rows. */
export function DataTable<Row extends object>(props: Props<Row>) {
  const { label, columns, rows, rowId, rowHref, error, empty, filters, waiting, more, onExport } = props
  const table = useDataTable({
    name: label,
    columns,
    rows: rows ?? noRows,
    rowId,
    sort: props.sort,
    isSorted: props.isSorted || Boolean(more),
    onSort: props.onSort,
    columnChoice: props.columnChoice,
  })
  const isFigure = use(FigureContext) !== 'page'
  const selection = useRowSelection(table.sorted, rowId, isFigure ? undefined : props.selection)
  const shownRows = isFigure ? table.sorted.slice(0, figureRows) : table.sorted
  const movedIds = waiting?.movedIds ?? noIds
  const { elsewhere, tools, failure } = useTableTools({
    label,
    columns: table.visible,
    readRows: more?.readAll ?? (() => Promise.resolve(table.sorted)),
    onExport,
    choosing: { columns, isChosen: table.isChosen, onChoose: table.choose },
  })
  return (
    <section aria-label={isFigure ? undefined : label} aria-busy={rows === undefined && !error}>
      {elsewhere}
      {(filters || !elsewhere) && (
        <div className={classes.tools}>
          <div className={classes.filters}>{filters}</div>
          {!elsewhere && tools}
        </div>
      )}
      {props.error && (
        <ErrorNotice title={`The ${label} could not be loaded`} error={props.error} onRetry={props.onRetry} />
      )}
      {failure}
      {waiting && (
        <WaitingBar
          label={label}
          count={waiting.count}
          moved={movedIds.size}
          isReordered={waiting.isReordered ?? false}
          onShow={waiting.onShow}
        />
      )}
      {!(error && rows === undefined) && (
        <TableFrame
          label={label}
          columns={table.visible}
          isWide={props.isWide ?? false}
          rowCount={table.sorted.length + 1}
        >
          <TableHead columns={table.visible} {...table} onSort={table.toggleSort} selection={selection} />
          {rows === undefined ? (
            <TableSkeleton columns={table.visible} isSelectable={selection !== undefined} />
          ) : (
            <TableRows
              rows={shownRows}
              columns={table.visible}
              rowId={rowId}
              rowHref={rowHref}
              dimmedIds={movedIds}
              selection={selection}
            />
          )}
        </TableFrame>
      )}
      {shownRows.length < table.sorted.length && (
        <p className={classes.rest}>{`Showing the first ${figureRows} of ${counted(table.sorted.length, 'row')}.`}</p>
      )}
      {rows?.length === 0 && <EmptyState {...empty} />}
      {more && (
        <div className={classes.more}>
          <LoadMore more={more} />
        </div>
      )}
    </section>
  )
}

type WaitingBarProps = { label: string; count: number; moved: number; isReordered: boolean; onShow: () => void }

/** What a refresh would change: new rows and updated rows. */
function WaitingBar({ label, count, moved, isReordered, onShow }: WaitingBarProps) {
  const parts = [
    ...(count > 0 ? [`${count} new ${label}`] : []),
    ...(moved > 0 ? [`${moved} updated`] : []),
    ...(isReordered ? ['order changed'] : []),
  ]
  if (parts.length === 0) return null
  return (
    <button type="button" className={classes.waiting} title="Refresh the list" onClick={onShow}>
      {parts.join(', ')}
    </button>
  )
}
