import { Button, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'

import { exactTime } from '#src/format/dates.ts'

const hour = 3_600_000

/** Floors on the last status update that people ask for. */
const sinceChoices = [
  { label: 'Last hour', ms: hour },
  { label: 'Last 24 hours', ms: 24 * hour },
  { label: 'Last 7 days', ms: 7 * 24 * hour },
  { label: 'Last 30 days', ms: 30 * 24 * hour },
] as const

/** Whole minutes, so that choosing the same span twice in a row is the same URL. */
const sinceBefore = (ms: number, now: number) => new Date(Math.floor((now - ms) / 60_000) * 60_000).toISOString()

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
