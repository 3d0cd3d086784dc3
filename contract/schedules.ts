import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { Actor } from './identity.ts'
import { SolvedCounts } from './outcomes.ts'
import { Submission } from './run-submission.ts'
import { GateResult, ScheduleGate } from './schedule-gate.ts'
import { limitParam, limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'

/**
 * Minute, hour, day of the month, month and weekday, as `0 2 * * MON-FRI`. Starts are at least an hour apart: the
 * platform refuses expressions with shorter gaps.
 */
const CronText = z.string().trim().min(1, 'must not be blank').max(120)

/** An IANA name, such as `Europe/Berlin`. */
const TimeZone = z.string().min(1, 'must not be blank').max(64)

/** `times`: whenever the clock of the time zone matches. `push`: after each new version of the experiment. */
export const ScheduleTrigger = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('times'), cron: CronText, timeZone: TimeZone }),
  z.object({ kind: z.literal('push') }),
])
export type ScheduleTrigger = z.infer<typeof ScheduleTrigger>

/** A schedule's runs all run: its gate compares starts with equally many. */
const RepeatedSubmission = Submission.extend({
  untilDecided: z.never('is not possible in a schedule, whose starts run to the end').optional(),
})

const ScheduleName = z.string().trim().min(1, 'must not be blank').max(80)

/** US dollars. */
const MonthlyBudget = z.number().positive('must be more than 0').max(1_000_000)

/** What made a schedule start: its times, a new version, a person, or the drop of a start that is run again. */
export const StartCause = z.enum(['time', 'push', 'person', 'confirmation'])

/** `skipped` starts submitted nothing, for the reason that `skippedBecause` gives. */
const StartState = z.enum(['running', 'finished', 'skipped'])

export const ScheduleStart = z.object({
  id: z.uuid(),
  cause: StartCause,
  state: StartState,
  skippedBecause: z.string().optional(),
  startedAt: Timestamp,
  finishedAt: Timestamp.optional(),
  /** Absent if nothing was submitted, or if the request was deleted. */
  runRequestId: z.uuid().optional(),
  ordinal: z.int().optional(),
  /** The start with a suspected drop whose runs this one runs again. */
  confirmsStartId: z.uuid().optional(),
  /** Once it has finished: of the runs that count, how many are solved. */
  solved: SolvedCounts.optional(),
  /** Once it has finished, if the schedule has a gate. */
  gate: GateResult.optional(),
})
export type ScheduleStart = z.infer<typeof ScheduleStart>

/** A submission that the platform repeats by itself, in the name of its owner. */
export const Schedule = z.object({
  id: z.uuid(),
  name: z.string(),
  experimentId: z.string(),
  experimentName: z.string(),
  trigger: ScheduleTrigger,
  submission: Submission,
  /** In US dollars, for each calendar month in UTC; null for no budget. */
  monthlyBudgetUsd: z.number().nullable(),
  /** What the runs of this schedule have cost since the month began. */
  spentThisMonthUsd: z.number(),
  gate: ScheduleGate.nullable(),
  isEnabled: z.boolean(),
  /** Why the platform paused it; absent if a person did, or if it is not paused. */
  pausedBecause: z.string().optional(),
  /** The person in whose name the runs are submitted: who last changed when, what or for how much it runs, or resumed it. */
  owner: Actor,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  canChange: z.boolean(),
  /** Null for a schedule that is paused or starts after a push. */
  nextAt: Timestamp.nullable(),
  lastStart: ScheduleStart.nullable(),
})
export type Schedule = z.infer<typeof Schedule>

export const ScheduleList = z.object({ schedules: z.array(Schedule), nextPageToken: z.string().optional() })
export type ScheduleList = z.infer<typeof ScheduleList>

/** Newest first. */
export const ScheduleStartList = z.object({ starts: z.array(ScheduleStart), nextPageToken: z.string().optional() })
export type ScheduleStartList = z.infer<typeof ScheduleStartList>

const errors = ['invalid_argument', 'unauthenticated', 'permission_denied'] as const
const errorsOfOne = [...errors, 'not_found'] as const

export const listSchedules = endpoint({
  name: 'schedules.list',
  method: 'GET',
  path: '/schedules',
  summary: 'List the schedules of the organization or of one experiment',
  query: z.object({
    experimentId: z.string().min(1).optional(),
    pageSize: limitParam(limits.schedules),
    pageToken: z.string().optional(),
  }),
  response: ScheduleList,
  errors,
})

export const getSchedule = endpoint({
  name: 'schedules.get',
  method: 'GET',
  path: '/schedules/:scheduleId',
  summary: 'Get one schedule',
  response: Schedule,
  errors: errorsOfOne,
})

export const listScheduleStarts = endpoint({
  name: 'schedules.starts',
  method: 'GET',
  path: '/schedules/:scheduleId/starts',
  summary: 'List what a schedule has started, with the verdict of its gate',
  query: z.object({ pageSize: limitParam(limits.scheduleStarts), pageToken: z.string().optional() }),
  response: ScheduleStartList,
  errors: errorsOfOne,
})

export const previewTimes = endpoint({
  name: 'schedules.times',
  method: 'GET',
  path: '/schedules/times',
  summary: 'List the next times that a cron expression matches',
  query: z.object({ cron: CronText, timeZone: TimeZone }),
  response: z.object({ times: z.array(Timestamp) }),
  errors,
})

export const createSchedule = endpoint({
  name: 'schedules.create',
  method: 'POST',
  path: '/schedules',
  summary: 'Repeat a submission at given times, or after each push',
  body: z.object({
    name: ScheduleName,
    experimentId: z.string().min(1).max(200),
    trigger: ScheduleTrigger,
    submission: RepeatedSubmission,
    monthlyBudgetUsd: MonthlyBudget.nullable().default(null),
    gate: ScheduleGate.nullable().default(null),
  }),
  bodyBytes: limits.largeBodyBytes,
  bodyValues: 100_000,
  response: Schedule,
  status: 201,
  errors: [...errorsOfOne, 'already_exists', 'resource_exhausted'],
})

export const updateSchedule = endpoint({
  name: 'schedules.update',
  method: 'PATCH',
  path: '/schedules/:scheduleId',
  summary: 'Change, pause or resume a schedule',
  body: z.object({
    name: ScheduleName.optional(),
    trigger: ScheduleTrigger.optional(),
    submission: RepeatedSubmission.optional(),
    monthlyBudgetUsd: MonthlyBudget.nullable().optional(),
    gate: ScheduleGate.nullable().optional(),
    isEnabled: z.boolean().optional(),
  }),
  bodyBytes: limits.largeBodyBytes,
  bodyValues: 100_000,
  response: Schedule,
  errors: [...errorsOfOne, 'already_exists'],
})

export const startSchedule = endpoint({
  name: 'schedules.start',
  method: 'POST',
  path: '/schedules/:scheduleId/start',
  summary: 'Start a schedule now',
  response: ScheduleStart,
  status: 202,
  errors: [...errorsOfOne, 'failed_precondition', 'resource_exhausted'],
})

export const acceptStart = endpoint({
  name: 'schedules.accept',
  method: 'POST',
  path: '/schedules/:scheduleId/starts/:startId/accept',
  summary: 'Accept a drop or a decline, so that later starts are compared with this one',
  response: ScheduleStart,
  errors: [...errorsOfOne, 'failed_precondition'],
})

export const deleteSchedule = endpoint({
  name: 'schedules.delete',
  method: 'DELETE',
  path: '/schedules/:scheduleId',
  summary: 'Delete a schedule; its runs stay',
  response: z.undefined(),
  status: 204,
  errors: errorsOfOne,
})
