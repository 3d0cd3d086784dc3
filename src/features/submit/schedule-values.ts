import type { z } from 'zod'

import type { ScheduleGate } from '#contract/schedule-gate.ts'
import type { createSchedule, Schedule } from '#contract/schedules.ts'
import { nightly, readRecurrence, type Recurrence, toTrigger } from '#src/shared/schedules/recurrence.ts'
import { readSubmission, type SubmissionValues, toSubmission } from './submission-values.ts'

/** `monthlyBudgetUsd` is '' for no budget, and `significanceLevel` for no gate. */
export type ScheduleValues = SubmissionValues &
  Recurrence & { name: string; monthlyBudgetUsd: number | ''; significanceLevel: '' | '0.05' | '0.01' }

export type ScheduleBody = z.input<typeof createSchedule.body>

const toGate = (significanceLevel: ScheduleValues['significanceLevel']): ScheduleGate | null =>
  significanceLevel === '' ? null : { significanceLevel: significanceLevel === '0.05' ? 0.05 : 0.01 }

export const toScheduleBody = (values: ScheduleValues, experimentId: string): ScheduleBody => ({
  name: values.name,
  experimentId,
  trigger: toTrigger(values),
  submission: toSubmission(values.every === 'push' ? { ...values, version: '' } : values),
  monthlyBudgetUsd: values.monthlyBudgetUsd === '' || values.mock ? null : values.monthlyBudgetUsd,
  gate: toGate(values.significanceLevel),
})

const fieldsByPath: Record<string, string> = {
  name: 'name',
  'trigger.cron': 'cron',
  'trigger.timeZone': 'timeZone',
  'submission.version': 'version',
  'submission.repeat': 'repeat',
  'submission.maxCostUsd': 'maxCostUsd',
  monthlyBudgetUsd: 'monthlyBudgetUsd',
}

/** The field of the form that shows an error at this path of the body. */
export const fieldAt = (path: string) => fieldsByPath[path]

const here = () => Intl.DateTimeFormat().resolvedOptions().timeZone

export const toScheduleValues = (prefill: SubmissionValues, schedule: Schedule | null): ScheduleValues => ({
  ...(schedule ? readSubmission(schedule.submission) : prefill),
  ...(schedule ? readRecurrence(schedule.trigger, here()) : nightly(here())),
  name: schedule?.name ?? '',
  monthlyBudgetUsd: schedule?.monthlyBudgetUsd ?? '',
  significanceLevel: schedule && !schedule.gate ? '' : schedule?.gate?.significanceLevel === 0.01 ? '0.01' : '0.05',
})
