import { Button, Checkbox, Popover, Stack, TextInput } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'

import classes from './MultiFilter.module.css'

type Props = {
  label: string
  /** The options. A selected value that is not an option stays listed, so that every active filter is visible. */
  options: readonly string[]
  value: readonly string[]
  onChange: (value: string[]) => void
  /** The label of a value that is an id. */
  labelOf?: (value: string) => string
  /** What the filter includes, on hover. */
  hint?: string
  onOpen?: () => void
}

const plainLabel = (value: string) => value

/** A filter for any of the selected values. */
export function MultiFilter({ label, options, value, onChange, labelOf = plainLabel, hint, onOpen }: Props) {
  const [search, setSearch] = useState('')
  const all = [...new Set([...options, ...value])]
  const shown = all.filter((option) => labelOf(option).toLowerCase().includes(search.trim().toLowerCase()))
  const summary =
    value.length === 0
      ? label
      : value.length === 1
        ? `${label}: ${labelOf(value[0] ?? '')}`
        : `${label}: ${value.length}`
  return (
    <Popover position="bottom-start" shadow="sm" trapFocus onOpen={onOpen} onClose={() => setSearch('')}>
      <Popover.Target>
        <Button
          variant="default"
          className={classes.target}
          title={hint}
          data-active={value.length > 0 || undefined}
          rightSection={<IconChevronDown size={12} aria-hidden />}
        >
          {summary}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs" maw="calc(100vw - 24px)">
        <Stack gap={8}>
          {all.length > 7 && (
            <TextInput
              size="xs"
              aria-label={`Search ${label}`}
              placeholder="Search"
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
          )}
          <Checkbox.Group aria-label={label} value={[...value]} onChange={onChange}>
            <div className={classes.options}>
              {shown.map((option) => (
                <Checkbox key={option} size="xs" value={option} label={labelOf(option)} />
              ))}
              {shown.length === 0 && <span className={classes.none}>No options</span>}
            </div>
          </Checkbox.Group>
          {value.length > 0 && (
            <Button variant="subtle" size="compact-xs" onClick={() => onChange([])}>
              Clear
            </Button>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
