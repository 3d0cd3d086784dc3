import { use } from 'react'

import { LinkContext } from '#src/ui/LinkContext.ts'
import type { Column } from './column.ts'
import { SelectBox } from './SelectBox.tsx'
import type { SelectableRows } from './use-row-selection.ts'
import classes from './DataTable.module.css'

type Props<Row> = {
  row: Row
  index: number
  columns: readonly Column<Row>[]
  href: string | undefined
  isDimmed: boolean
  selection: SelectableRows<Row> | undefined
}

/** The link of the first cell covers the whole row, so a click anywhere on it can open a new tab. */
export function TableRow<Row>({ row, index, columns, href, isDimmed, selection }: Props<Row>) {
  const { Link } = use(LinkContext)
  return (
    <tr
      data-row={index}
      data-dimmed={isDimmed || undefined}
      aria-rowindex={index + 2}
      className={classes.row}
      data-link={href !== undefined || undefined}
      data-selected={selection?.isSelected(row) || undefined}
    >
      {selection && (
        <td className={classes.selectCell}>
          <SelectBox
            label={`Select ${selection.nameOf(row)}`}
            isOn={selection.isSelected(row)}
            onToggle={(isRange) => selection.toggle(index, isRange)}
          />
        </td>
      )}
      {columns.map(({ id, cell, value, align, from }, place) => (
        <td key={id} className={classes.cell} data-align={align} data-from={from}>
          {place === 0 && href !== undefined ? (
            <Link href={href} className={classes.rowLink}>
              {(cell ?? value)?.(row)}
            </Link>
          ) : (
            (cell ?? value)?.(row)
          )}
        </td>
      ))}
    </tr>
  )
}
