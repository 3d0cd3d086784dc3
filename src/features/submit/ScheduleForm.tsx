import { Button, Skeleton } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { z } from 'zod'

import { createSchedule, type Schedule } from '#contract/schedules.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { addSchedule, changeSchedule } from '#src/api/schedules.ts'
import { counted } from '#src/format/numbers.ts'
import { useForm } from '#src/forms/use-form.ts'
import { paths } from '#src/paths.ts'
import dialogFoot from '#src/ui/dialog-foot.module.css'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import formParts from '#src/ui/form-parts.module.css'
import { PlanPower } from './PlanPower.tsx'
import { PriceLine } from './PriceLine.tsx'
import { ScheduleOptions } from './ScheduleOptions.tsx'
import { SubmissionFields } from './SubmissionFields.tsx'
import { laterVariantsOf } from './selected-variants.ts'
import { fieldAt, type ScheduleBody, toScheduleBody, toScheduleValues } from './schedule-values.ts'
import { type SubmissionValues, toSubmission } from './submission-values.ts'
import { clearOfFoot } from './SubmitForm.tsx'
import classes from './SubmitForm.module.css'
import { useSelection } from './use-selection.ts'

type Props = {
  experimentId: string
  prefill: SubmissionValues
  /** The schedule to change; null for a new one. */
  schedule: Schedule | null
  onValuesChange: (values: SubmissionValues) => void
}

/** The submit form with a name, times, a budget and a gate: it saves a schedule instead of submitting runs. */
export function ScheduleForm({ experimentId, prefill, schedule, onValuesChange }: Props) {
  const navigate = useNavigate()
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const initial = toScheduleValues(prefill, schedule)
  const form = useForm({
    initialValues: { ...initial, mock: initial.mock || (!schedule && !caller.sandbox.available) },
    schema: createSchedule.body as z.ZodType<unknown, ScheduleBody>,
    toBody: (values) => toScheduleBody(values, experimentId),
    send: (body) => (schedule ? changeSchedule({ scheduleId: schedule.id, ...body }) : addSchedule(body)),
    onSent: ({ id }) => navigate(paths.schedule(id)),
    fieldOf: fieldAt,
    conflictField: 'name',
    onValuesChange,
  })
  const selection = useSelection(experimentId, form.values)
  const { experiment, error, variants, runCount, whyNot } = selection
  if (error) return <ErrorNotice title="This version could not be loaded" error={error} />
  if (!experiment) return <Skeleton height={240} />
  const { repeat, mock, every, version, selectors } = form.values
  return (
    <form className={formParts.roomyForm} onSubmit={form.submit} noValidate>
      <ScheduleOptions form={form} />
      <SubmissionFields form={form} experiment={experiment} selection={selection} hasVersion={every !== 'push'}>
        <PlanPower experiment={experiment} variants={variants} repeat={repeat} />
      </SubmissionFields>
      {form.failure && (
        <div ref={clearOfFoot}>
          <ErrorNotice title="The schedule was not saved" error={form.failure} />
        </div>
      )}
      <footer className={dialogFoot.foot}>
        <PriceLine
          submission={{ id: experimentId, ...toSubmission(form.values) }}
          variants={variants}
          repeat={repeat}
          mock={mock}
          onMock={() => form.setFieldValue('mock', true)}
        />
        <p className={classes.sum} aria-live="polite">
          {counted(variants.length, 'variant')} × {counted(repeat, 'repeat')} = <b>{counted(runCount, 'run')}</b> each
          time
          {whyNot && <span className={classes.why}>{whyNot}</span>}
          {selectors && !whyNot && (every === 'push' || !version) && (
            <span className={classes.later}>{laterVariantsOf(selectors)}</span>
          )}
        </p>
        <Button type="submit" size="sm" loading={form.isPending} disabled={whyNot !== null} title={whyNot ?? undefined}>
          Save schedule
        </Button>
      </footer>
    </form>
  )
}
