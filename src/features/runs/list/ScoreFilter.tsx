import { Button, Popover, Select, Stack, TextInput } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'

import { scoreText } from '#src/format/scores.ts'
import type { AppliedFilters } from './run-filters.ts'

type Limits = Pick<AppliedFilters, 'score' | 'scoreAtLeast' | 'scoreBelow'>

type Props = { names: readonly string[]; value: Limits; onChange: (change: Limits) => void }

/** Runs that have a score, within limits. */
export function ScoreFilter({ names, value, onChange }: Props) {
  const { score, scoreAtLeast, scoreBelow } = value
  return (
    <Popover position="bottom-start" shadow="sm" trapFocus>
      <Popover.Target>
        <Button
          variant={score ? 'light' : 'default'}
          fw={450}
          title="Only runs with a known value of a score"
          rightSection={<IconChevronDown size={12} aria-hidden />}
        >
          {score ? `Score: ${wordsOf(value)}` : 'Score'}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs" w={240} maw="calc(100vw - 24px)">
        <Stack gap={8}>
          <Select
            size="xs"
            label="Score"
            placeholder="Any"
            data={[...names]}
            value={score ?? null}
            clearable
            comboboxProps={{ withinPortal: false }}
            onChange={(name) =>
              onChange(
                name ? { ...value, score: name } : { score: undefined, scoreAtLeast: undefined, scoreBelow: undefined },
              )
            }
          />
          <Limit
            label="At least"
            value={scoreAtLeast}
            isOff={!score}
            onChange={(limit) => onChange({ ...value, scoreAtLeast: limit })}
          />
          <Limit
            label="Below"
            value={scoreBelow}
            isOff={!score}
            onChange={(limit) => onChange({ ...value, scoreBelow: limit })}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

type LimitProps = {
  label: string
  value: number | undefined
  isOff: boolean
  onChange: (value: number | undefined) => void
}

/** Applies when the field is left or Enter is pressed, so that the list is not fetched for every digit. */
function Limit({ label, value, isOff, onChange }: LimitProps) {
  const apply = (text: string) => {
    const limit = text.trim() === '' ? undefined : Number(text)
    if (limit !== value && !Number.isNaN(limit)) onChange(limit)
  }
  return (
    <TextInput
      key={value}
      type="number"
      size="xs"
      label={label}
      disabled={isOff}
      title={isOff ? 'Choose a score first' : undefined}
      defaultValue={value ?? ''}
      step="any"
      onBlur={({ currentTarget }) => apply(currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') apply(currentTarget.value)
      }}
    />
  )
}

function wordsOf({ score, scoreAtLeast: from, scoreBelow: below }: Limits) {
  const limits = [from !== undefined && `≥ ${scoreText(from)}`, below !== undefined && `< ${scoreText(below)}`]
  return [score, limits.filter(Boolean).join(' and ')].filter(Boolean).join(' ')
}
