import { Skeleton } from '@mantine/core'

import type { Column } from './column.ts'
import classes from './DataTable.module.css'

const shownRows = [72, 56, 64, 48, 60, 52]

export function TableSkeleton<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <tbody aria-hidden>
      {shownRows.map((width) => (
        <tr key={width} className={classes.row}>
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
