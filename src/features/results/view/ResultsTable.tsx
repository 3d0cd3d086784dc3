import { Anchor } from '@mantine/core'
import { useState } from 'react'

import { unsharedNames } from '#src/charts/unshared-names.ts'
import { reveal } from '#src/ui/reveal.ts'
import { TruncatedText } from '#src/ui/TruncatedText.tsx'
import { RowFilter } from '#src/ui/table/RowFilter.tsx'
import { TableHead } from '#src/ui/table/TableHead.tsx'
import { useDataTable } from '#src/ui/table/use-data-table.ts'
import { useTableTools } from '#src/ui/table/use-table-tools.tsx'
import { ScrollRegion } from '#src/ui/ScrollRegion.tsx'
import tableRegion from '#src/ui/table/table-region.module.css'
import { type ResultColumn, matchingRows, toColumns } from './result-columns.ts'
import classes from './ResultsTable.module.css'

type Props<Row> = {
  label: string
  /** What its file is named after, behind the page: `time by group`. By default the label. */
  file?: string
  rows: readonly Row[]
  rowId: (row: Row) => string
  /** The name of a row; clicking it opens the row's runs. */
  name: {
    header: string
    text: (row: Row) => string
    onChoose?: (row: Row) => void
    isCode?: boolean
    wraps?: boolean
    /** Takes the room that other columns leave, so that their places do not depend on the rows. */
    isWide?: boolean
  }
  columns: readonly ResultColumn<Row>[]
  /** False where the page searches the rows already. */
  hasFilter?: boolean
  /** True for the row in the chart above. */
  isSelected?: (row: Row) => boolean
  /** True for the row in the side pane; it is scrolled into view. */
  isOpen?: (row: Row) => boolean
}

/** The numbers of a chart as a table that sorts by every column and scrolls in its own region. */
export function ResultsTable<Row extends object>(props: Props<Row>) {
  const { label, rows, rowId, name, hasFilter = true } = props
  const [search, setSearch] = useState('')
  const columns = toColumns(name, props.columns)
  const matching = matchingRows(rows, columns, search)
  const table = useDataTable({
    name: label,
    columns,
    rows: matching,
    rowId,
    sort: undefined,
    isSorted: false,
    onSort: undefined,
  })
  const { elsewhere, tools, failure } = useTableTools({
    label: props.file ?? label.toLowerCase(),
    columns,
    readRows: () => Promise.resolve(table.sorted),
  })
  const names = unsharedNames(rows.map(name.text), 40)
  const shortNameOf = new Map(rows.map((row, place) => [row, names[place] ?? '']))
  return (
    <>
      {hasFilter && (
        <RowFilter label={label} value={search} onChange={setSearch} matching={matching.length} total={rows.length} />
      )}
      {elsewhere ?? tools}
      {failure}
      <ScrollRegion className={tableRegion.scroller} label={`${label}, scrollable`}>
        <table className={classes.table} aria-label={label}>
          <TableHead columns={table.visible} {...table} onSort={table.toggleSort} />
          <tbody>
            {table.sorted.map((row) => (
              <ResultRow key={rowId(row)} {...props} row={row} shortName={shortNameOf.get(row) ?? name.text(row)} />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </>
  )
}

type RowProps<Row> = Pick<Props<Row>, 'name' | 'columns' | 'isOpen' | 'isSelected'> & { row: Row; shortName: string }

function ResultRow<Row>({ row, shortName, name, columns, isOpen, isSelected }: RowProps<Row>) {
  const { onChoose, text, isCode, wraps, isWide } = name
  return (
    <tr ref={isOpen?.(row) ? reveal : undefined} data-selected={isOpen?.(row) || isSelected?.(row) || undefined}>
      <th scope="row" data-code={isCode || undefined} data-wraps={wraps} data-wide={isWide} title={text(row)}>
        {onChoose ? (
          <Anchor component="button" type="button" fz={13} className={classes.name} onClick={() => onChoose(row)}>
            {wraps ? text(row) : shortName}
          </Anchor>
        ) : (
          <TruncatedText whole={text(row)}>{shortName}</TruncatedText>
        )}
      </th>
      {columns.map(({ header, align, wraps: isLong, cell, text: textOf }) => (
        <td key={header} data-align={align ?? 'right'} data-wraps={isLong}>
          {cell ? cell(row) : textOf(row)}
        </td>
      ))}
    </tr>
  )
}
