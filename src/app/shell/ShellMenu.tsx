import { Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'

import { MenuButton } from './MenuButton.tsx'
import type { ShellMenuProps } from './shell-menu.ts'

/** Mounted on first use, so it opens right away. */
export function ShellMenu({ text, label, heading, position, entries }: ShellMenuProps) {
  return (
    <Menu position={position} shadow="sm" width={192} defaultOpened checkIcon={<IconCheck size={14} aria-hidden />}>
      <Menu.Target>
        <MenuButton text={text} label={label} />
      </Menu.Target>
      <Menu.Dropdown>
        {heading && <Menu.Label>{heading}</Menu.Label>}
        {entries.map(({ label, isChecked, onSelect }) =>
          isChecked === undefined ? (
            <Menu.Item key={label} onClick={onSelect}>
              {label}
            </Menu.Item>
          ) : (
            <Menu.RadioItem key={label} value={label} checked={isChecked} closeMenuOnClick onChange={onSelect}>
              {label}
            </Menu.RadioItem>
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
