import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import type { Column } from './column.ts'

type Place<Row, Sort extends string> = Omit<Column<Row, Sort>, 'cell' | 'value' | 'align'> & { isPlanned?: boolean }

/** A column of times: relative on the page, exact for sorting and export. */
export const timeColumn = <Row, Sort extends string = string>(
  at: (row: Row) => string,
  { isPlanned = false, ...place }: Place<Row, Sort>,
): Column<Row, Sort> => ({
  ...place,
  align: 'right',
  cell: (row) => <RelativeTime at={at(row)} isPlanned={isPlanned} />,
  value: at,
})
