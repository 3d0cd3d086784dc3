import { Button, Popover, Stack } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'

import { type FilterChoice, FilterChoices } from './FilterChoices.tsx'
import classes from './MultiFilter.module.css'

type Props = FilterChoice & {
  /** What the filter includes, on hover. */
  hint?: string
}

/** A filter for any of the selected values. */
export function MultiFilter({ hint, ...choice }: Props) {
  const { label, value, onChange, labelOf = (plain: string) => plain } = choice
  const summary =
    value.length === 0
      ? label
      : value.length === 1
        ? `${label}: ${labelOf(value[0] ?? '')}`
        : `${label}: ${value.length}`
  return (
    <Popover position="bottom-start" shadow="sm" trapFocus>
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
          <FilterChoices {...choice} />
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
