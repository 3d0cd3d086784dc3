import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import type { Column } from './column.ts'

type Place<Row> = Omit<Column<Row>, 'cell' | 'value' | 'align'>

/** When something happened: said from now, sorted and exported exactly. */
export const timeColumn = <Row,>(at: (row: Row) => string, place: Place<Row>): Column<Row> => ({
  ...place,
  align: 'right',
  cell: (row) => <RelativeTime at={at(row)} />,
  value: at,
})
