import { ActionIcon, Menu } from '@mantine/core'
import { IconCheck, IconCopy, IconDotsVertical, IconDownload } from '@tabler/icons-react'

import type { Column } from './column.ts'

type Props<Row> = {
  label: string
  columns: readonly Column<Row>[]
  isChosen: (id: string) => boolean
  onChoose: (id: string, on: boolean) => void
  exportLabel: string
  onExport: () => void
  onCopy: () => void
}

/** Chooses columns, and exports or copies the rows. */
export function TableTools<Row>({ label, columns, isChosen, onChoose, exportLabel, onExport, onCopy }: Props<Row>) {
  return (
    <Menu position="bottom-end" shadow="sm" closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label={`Columns and export of ${label}`}>
          <IconDotsVertical size={14} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconDownload size={14} aria-hidden />} onClick={onExport} closeMenuOnClick>
          {exportLabel}
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={14} aria-hidden />} onClick={onCopy} closeMenuOnClick>
          Copy table
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Columns</Menu.Label>
        {columns.slice(1).map(({ id, header }) => (
          <Menu.Item
            key={id}
            role="menuitemcheckbox"
            aria-checked={isChosen(id)}
            leftSection={<IconCheck size={14} aria-hidden visibility={isChosen(id) ? 'visible' : 'hidden'} />}
            onClick={() => onChoose(id, !isChosen(id))}
          >
            {header}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
