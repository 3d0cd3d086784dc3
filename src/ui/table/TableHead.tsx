import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'

import { SelectBox } from './SelectBox.tsx'
import type { SelectableRows } from './use-row-selection.ts'
import type { Column } from './column.ts'
import classes from './DataTable.module.css'

type Props<Row> = {
  columns: readonly Column<Row>[]
  canSort: (id: string) => boolean
  sortDirection: (id: string) => 'asc' | 'desc' | null
  onSort: (id: string) => void
  selection?: Pick<SelectableRows<Row>, 'isAll' | 'isSome' | 'toggleAll'> | undefined
}

const ariaSort = { asc: 'ascending', desc: 'descending' } as const

export function TableHead<Row>({ columns, canSort, sortDirection, onSort, selection }: Props<Row>) {
  return (
    <thead className={classes.head}>
      <tr aria-rowindex={1}>
        {selection && (
          <th scope="col" className={classes.selectHead}>
            <SelectBox
              label="Select all loaded rows"
              isOn={selection.isAll}
              isSome={selection.isSome}
              onToggle={selection.toggleAll}
            />
          </th>
        )}
        {columns.map((column) => {
          const direction = sortDirection(column.id)
          return (
            <th
              key={column.id}
              scope="col"
              title={column.hint}
              className={classes.headCell}
              style={{ width: column.width }}
              data-align={column.align}
              data-from={column.from}
              aria-sort={direction ? ariaSort[direction] : undefined}
            >
              {canSort(column.id) ? (
                <button type="button" className={classes.sort} onClick={() => onSort(column.id)}>
                  {column.header}
                  {direction === 'asc' && <IconArrowUp size={12} aria-hidden />}
                  {direction === 'desc' && <IconArrowDown size={12} aria-hidden />}
                </button>
              ) : (
                column.header
              )}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}
