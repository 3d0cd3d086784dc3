import { Button, VisuallyHidden } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'

import type { Column } from './column.ts'
import { useTableCopy } from './use-table-copy.ts'

type Props<Row> = { columns: readonly Column<Row>[]; rows: readonly Row[] }

/** Copies all rows of a table, also those that are not on the screen, with exact values. */
export function CopyTable<Row>({ columns, rows }: Props<Row>) {
  const { said, copy } = useTableCopy(columns)
  return (
    <>
      <VisuallyHidden component="output">{said}</VisuallyHidden>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconCopy size={14} aria-hidden />}
        onClick={() => void copy(() => Promise.resolve(rows))}
      >
        {said || 'Copy table'}
      </Button>
    </>
  )
}
