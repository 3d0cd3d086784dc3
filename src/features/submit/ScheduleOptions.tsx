import { NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'

import { nextTimesOptions } from '#src/api/schedules.ts'
import type { Form } from '#src/forms/use-form.ts'
import { timeIn } from '#src/format/dates.ts'
import { toTrigger, weekdays } from '#src/shared/schedules/recurrence.ts'
import mutedText from '#src/ui/muted-text.module.css'
import type { ScheduleValues } from './schedule-values.ts'
import classes from './SubmitForm.module.css'

const choices = [
  { value: 'day', label: 'Every day' },
  { value: 'weekday', label: 'Monday to Friday' },
  { value: 'week', label: 'Every week' },
  { value: 'cron', label: 'Other times (cron)' },
  { value: 'push', label: 'After each new version' },
]

const gates = [
  { value: '0.05', label: 'With p ≤ 0.05' },
  { value: '0.01', label: 'With p ≤ 0.01' },
  { value: '', label: 'Never' },
]

const timeZones = Intl.supportedValuesOf('timeZone')

/** When a schedule starts, what it may cost, and when it notifies its owner. */
export function ScheduleOptions({ form }: { form: Form<ScheduleValues> }) {
  const { every, timeZone, mock, significanceLevel } = form.values
  const zones = timeZones.includes(timeZone) ? timeZones : [timeZone, ...timeZones]
  return (
    <>
      <div className={classes.options}>
        <TextInput
          size="xs"
          label="Name"
          placeholder="Nightly"
          maxLength={80}
          {...form.getInputProps('name')}
          data-autofocus
        />
        <NativeSelect size="xs" label="Starts" data={choices} {...form.getInputProps('every')} />
        {every === 'week' && (
          <NativeSelect
            size="xs"
            label="On"
            data={weekdays.map((label, value) => ({ value: String(value), label }))}
            {...form.getInputProps('weekday')}
          />
        )}
        {(every === 'day' || every === 'weekday' || every === 'week') && (
          <TextInput size="xs" label="At" type="time" {...form.getInputProps('at')} />
        )}
        {every === 'cron' && (
          <TextInput
            size="xs"
            label="Cron expression"
            placeholder="0 2 * * 1,4"
            title="Minute, hour, day of the month, month and weekday"
            {...form.getInputProps('cron')}
          />
        )}
        {every !== 'push' && (
          <NativeSelect size="xs" label="Time zone" data={zones} {...form.getInputProps('timeZone')} />
        )}
        <NumberInput
          size="xs"
          label="Monthly budget for model calls"
          placeholder="No budget"
          prefix="$"
          min={0}
          allowNegative={false}
          decimalScale={4}
          disabled={mock}
          title={mock ? 'Mock runs cost nothing' : 'Each start may spend what is left of it'}
          {...form.getInputProps('monthlyBudgetUsd')}
          onChange={(value) => form.setFieldValue('monthlyBudgetUsd', typeof value === 'number' ? value : '')}
        />
        <NativeSelect
          size="xs"
          label="Notify the owner of a drop"
          data={gates}
          {...form.getInputProps('significanceLevel')}
        />
      </div>
      <p className={mutedText.intro}>
        <NextTimes values={form.values} />{' '}
        {significanceLevel !== '' &&
          'The solved rate of each start is compared with that of the earlier starts that passed, variant by variant. A suspected drop runs once more before you are notified. p is the probability of such a difference by chance alone.'}
      </p>
    </>
  )
}

function NextTimes({ values }: { values: ScheduleValues }) {
  const [trigger] = useDebouncedValue(toTrigger(values), 300)
  const isReady = trigger.kind === 'times' && trigger.cron.trim() !== ''
  const { data, error } = useQuery({
    ...nextTimesOptions(trigger.kind === 'times' ? trigger : { cron: '', timeZone: '' }),
    enabled: isReady,
  })
  if (trigger.kind === 'push')
    return 'Starts with each new version of the experiment. If several arrive while runs are unfinished, only the newest starts.'
  if (!isReady) return 'Minute, hour, day of the month, month and weekday.'
  if (error) return error.message
  if (!data) return null
  return (
    <>
      Next:{' '}
      {data.times
        .slice(0, 3)
        .map((time) => timeIn(time, trigger.timeZone))
        .join(' · ')}
      .
    </>
  )
}
