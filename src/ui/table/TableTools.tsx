import { ActionIcon, Menu } from '@mantine/core'
import { IconCheck, IconCopy, IconDotsVertical, IconDownload } from '@tabler/icons-react'

import type { Column } from './column.ts'

export type ColumnChoosing<Row> = {
  columns: readonly Column<Row>[]
  isChosen: (id: string) => boolean
  onChoose: (id: string, on: boolean) => void
}

type Props<Row> = {
  label: string
  choosing?: ColumnChoosing<Row>
  exportLabel: string
  onExport: () => void
  onCopy: () => void
}

/** Exports or copies the rows, and chooses columns. */
export function TableTools<Row>({ label, choosing, exportLabel, onExport, onCopy }: Props<Row>) {
  return (
    <Menu position="bottom-end" shadow="sm" closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon
          variant="default"
          size={30}
          aria-label={choosing ? `Columns and export of ${label}` : `Export of ${label}`}
        >
          <IconDotsVertical size={14} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah="min(480px, 60dvh)" style={{ overflowY: 'auto' }}>
        <Menu.Item leftSection={<IconDownload size={14} aria-hidden />} onClick={onExport} closeMenuOnClick>
          {exportLabel}
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={14} aria-hidden />} onClick={onCopy} closeMenuOnClick>
          Copy table
        </Menu.Item>
        {choosing && <Menu.Label>Columns</Menu.Label>}
        {choosing?.columns.slice(1).map(({ id, header }) => {
          const isChosen = choosing.isChosen(id)
          return (
            <Menu.Item
              key={id}
              role="menuitemcheckbox"
              aria-checked={isChosen}
              leftSection={<IconCheck size={14} aria-hidden visibility={isChosen ? 'visible' : 'hidden'} />}
              onClick={() => choosing.onChoose(id, !isChosen)}
            >
              {header}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
