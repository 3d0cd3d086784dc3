import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useState } from 'react'

import type { Column } from './column.ts'
import type { SelectableRows } from './use-row-selection.ts'
import { TableRow } from './TableRow.tsx'
import { useRowKeys } from './use-row-keys.ts'

const virtualFrom = 100
const rowHeight = 40

type Props<Row> = {
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  rowId: (row: Row) => string
  rowHref: ((row: Row) => string) | undefined
  /** Rows that no longer match the list. */
  dimmedIds: ReadonlySet<string>
  selection: SelectableRows<Row> | undefined
}

/** Renders all rows of a short list, and only the rows near the window of a long one. */
export function TableRows<Row>({ rows, columns, rowId, rowHref, dimmedIds, selection }: Props<Row>) {
  const [body, setBody] = useState<{ element: HTMLElement; top: number } | null>(null)
  const measure = useCallback((element: HTMLElement | null) => {
    setBody(element && { element, top: element.getBoundingClientRect().top + window.scrollY })
  }, [])
  const isVirtual = rows.length > virtualFrom
  const virtualizer = useWindowVirtualizer({
    enabled: isVirtual,
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: body?.top ?? 0,
  })
  useRowKeys(
    body?.element ?? null,
    rows.length,
    (index) => isVirtual && virtualizer.scrollToIndex(index, { align: 'auto' }),
  )
  const items = isVirtual ? virtualizer.getVirtualItems().map(({ index }) => index) : rows.keys().toArray()
  const before = items[0] ?? 0
  const after = rows.length - 1 - (items.at(-1) ?? -1)
  return (
    <tbody ref={measure}>
      <Spacer rows={before} />
      {items.map((index) => {
        const row = rows[index]
        if (!row) return null
        const id = rowId(row)
        const isDimmed = dimmedIds.has(id)
        return (
          <TableRow
            key={id}
            row={row}
            index={index}
            columns={columns}
            href={rowHref?.(row)}
            isDimmed={isDimmed}
            selection={selection}
          />
        )
      })}
      <Spacer rows={after} />
    </tbody>
  )
}

/** A single cell, because spanning hidden columns of a narrow table would restore their widths. */
const Spacer = ({ rows }: { rows: number }) =>
  rows > 0 && (
    <tr aria-hidden>
      <td style={{ height: rows * rowHeight, padding: 0, border: 0 }} aria-label={`${rows} more rows`} />
    </tr>
  )
