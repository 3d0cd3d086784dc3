import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import type { Column } from './column.ts'

type Place<Row> = Omit<Column<Row>, 'cell' | 'value' | 'align'>

/** A column of times: relative on the page, exact for sorting and export. */
export const timeColumn = <Row,>(at: (row: Row) => string, place: Place<Row>): Column<Row> => ({
  ...place,
  align: 'right',
  cell: (row) => <RelativeTime at={at(row)} />,
  value: at,
})
