import { Anchor } from '@mantine/core'

import { reveal } from '#src/ui/reveal.ts'
import { unsharedNames } from '#src/charts/unshared-names.ts'
import classes from './ResultsTable.module.css'

type Props<Row> = {
  label: string
  rows: readonly Row[]
  rowId: (row: Row) => string
  /** The name of a row; clicking it opens the row's runs. */
  name: { header: string; text: (row: Row) => string; onChoose: (row: Row) => void }
  columns: readonly { header: string; text: (row: Row) => string }[]
  /** True for the row in the chart above. */
  isSelected?: (row: Row) => boolean
  /** True for the row in the side pane; it is scrolled into view. */
  isOpen?: (row: Row) => boolean
}

/** The numbers of a chart as an ordinary table. */
export function ResultsTable<Row>({ label, rows, rowId, name, columns, isSelected, isOpen }: Props<Row>) {
  const names = unsharedNames(rows.map(name.text), 40)
  return (
    <div className={classes.scroller}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{name.header}</th>
            {columns.map(({ header }) => (
              <th key={header} scope="col" title={header}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <tr
              key={rowId(row)}
              ref={isOpen?.(row) ? reveal : undefined}
              data-selected={isOpen?.(row) || isSelected?.(row) || undefined}
            >
              <th scope="row">
                <Anchor
                  component="button"
                  type="button"
                  fz={13}
                  className={classes.name}
                  title={name.text(row)}
                  onClick={() => name.onChoose(row)}
                >
                  {names[place]}
                </Anchor>
              </th>
              {columns.map(({ header, text }) => (
                <td key={header}>{text(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
