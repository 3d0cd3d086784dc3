import { Button, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'

import { exactTime } from '#src/format/dates.ts'
import { sinceBefore, sinceChoices } from './since-choices.ts'

type Props = { value: string | undefined; onChange: (since: string | undefined) => void }

/** Runs whose status changed since a moment; the URL holds the moment, so a link keeps meaning the same. */
export function SinceFilter({ value, onChange }: Props) {
  return (
    <Menu position="bottom-start" shadow="sm">
      <Menu.Target>
        <Button variant={value ? 'light' : 'default'} fw={450} rightSection={<IconChevronDown size={12} aria-hidden />}>
          {value ? `Since ${exactTime(value)}` : 'Since'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {sinceChoices.map(({ label, ms }) => (
          <Menu.Item key={ms} onClick={() => onChange(sinceBefore(ms, Date.now()))}>
            {label}
          </Menu.Item>
        ))}
        {value && <Menu.Item onClick={() => onChange(undefined)}>Any time</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  )
}
