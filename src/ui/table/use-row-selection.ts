import { useRef } from 'react'

/** The rows that a person has marked, by id. */
export type RowSelection<Row> = {
  ids: ReadonlySet<string>
  onChange: (ids: ReadonlySet<string>) => void
  /** Names the row, for the label of its checkbox. */
  nameOf: (row: Row) => string
}

/** Marks single rows, ranges from the last marked row, and all of them. */
export function useRowSelection<Row>(
  rows: readonly Row[],
  rowId: (row: Row) => string,
  selection: RowSelection<Row> | undefined,
) {
  const anchor = useRef(0)
  if (!selection) return undefined
  const { ids, onChange, nameOf } = selection
  const selected = rows.filter((row) => ids.has(rowId(row))).length
  return {
    nameOf,
    isSelected: (row: Row) => ids.has(rowId(row)),
    /** Of a range, every row gets the new mark of its last row. */
    toggle(index: number, isRange: boolean) {
      const last = rows[index]
      if (!last) return
      const isOn = !ids.has(rowId(last))
      const [from, to] = isRange ? [Math.min(anchor.current, index), Math.max(anchor.current, index)] : [index, index]
      const range = rows.slice(from, to + 1).map(rowId)
      anchor.current = index
      onChange(isOn ? ids.union(new Set(range)) : ids.difference(new Set(range)))
    },
    isAll: rows.length > 0 && selected === rows.length,
    isSome: selected > 0 && selected < rows.length,
    toggleAll: () => onChange(selected === rows.length ? new Set() : new Set(rows.map(rowId))),
  }
}

export type SelectableRows<Row> = NonNullable<ReturnType<typeof useRowSelection<Row>>>
