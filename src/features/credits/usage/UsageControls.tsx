import { NativeSelect, TextInput } from '@mantine/core'

import { type Usage, UsageGroupBy } from '#contract/usage.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import classes from './usage.module.css'
import { payers, type UsageView } from './usage-view.ts'
import { groupingNames } from './usage-words.ts'

const payerNames = { all: 'Credit and own keys', credit: 'Credit only', own: 'Own keys only' }
const periodNames = {
  current: 'This cycle',
  previous: 'Last cycle',
  last_30_days: 'Last 30 days',
  custom: 'Custom',
}

const toChoices = <Name extends string>(names: readonly Name[], labels: Record<Name, string>) =>
  names.map((value) => ({ value, label: labels[value] }))

type Props = { view: UsageView; usage: Usage | undefined; mayGroupByPerson: boolean }

/** What is shown. The URL has all of it. */
export function UsageControls({ view, usage, mayGroupByPerson }: Props) {
  const url = useQueryState()
  const groupings = UsageGroupBy.options.filter((by) => by !== 'person' || mayGroupByPerson)
  const choosePeriod = (period: string) =>
    url.set(
      period === 'custom'
        ? { period: null, ...daysOf(usage, view.timeZone) }
        : { period: period === 'current' ? null : period, from: null, to: null },
    )
  return (
    <search aria-label="Usage filters" className={classes.controls}>
      <NativeSelect
        size="xs"
        label="Period"
        data={toChoices(['current', 'previous', 'last_30_days', 'custom'] as const, periodNames)}
        value={view.period}
        onChange={(event) => choosePeriod(event.currentTarget.value)}
      />
      {view.period === 'custom' && (
        <>
          <DayInput label="From" value={view.from} onChange={(from) => url.set({ from })} />
          <DayInput label="To" value={view.to} onChange={(to) => url.set({ to })} />
        </>
      )}
      <NativeSelect
        size="xs"
        label="Group by"
        data={toChoices(groupings, groupingNames)}
        value={view.groupBy}
        onChange={(event) => url.set({ by: event.currentTarget.value === 'model' ? null : event.currentTarget.value })}
      />
      <NativeSelect
        size="xs"
        label="Paid with"
        data={toChoices(payers, payerNames)}
        value={view.paid}
        onChange={(event) => url.set({ paid: event.currentTarget.value === 'all' ? null : event.currentTarget.value })}
      />
      <NativeSelect
        size="xs"
        label="Time zone"
        data={[...new Set(['UTC', readersTimeZone(), view.timeZone])]}
        value={view.timeZone}
        onChange={(event) => url.set({ zone: event.currentTarget.value === 'UTC' ? null : event.currentTarget.value })}
      />
    </search>
  )
}

const readersTimeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

type DayProps = { label: string; value: string; onChange: (day: string) => void }

/** A cleared day is not sent: a period needs both. */
const DayInput = ({ label, value, onChange }: DayProps) => (
  <TextInput
    type="date"
    size="xs"
    label={label}
    value={value}
    onChange={(event) => event.currentTarget.value && onChange(event.currentTarget.value)}
  />
)

/** The days of the shown period, as initial values. */
function daysOf(usage: Usage | undefined, timeZone: string) {
  const day = (at: number) => new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at)
  const until = usage ? Date.parse(usage.until) - 1 : Date.now()
  return { from: day(usage ? Date.parse(usage.from) : until), to: day(until) }
}
