import { z } from 'zod'

import type { VerbInput } from '#contract/endpoint.ts'
import type {
  getSchedule,
  listSchedules as endpoint,
  listScheduleStarts,
  previewTimes,
  Schedule,
  ScheduleList,
  ScheduleStartList,
} from '#contract/schedules.ts'
import { limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { cutPage, readPageToken } from '#platform/ground/routes/page-token.ts'
import { requireSchedule } from './require-schedule.ts'
import { findSchedules } from './store.ts'
import { findLastStarts, findStarts } from './starts-store.ts'
import { timesAfter } from './times.ts'
import { toSchedule, toStart } from './to-schedule.ts'

const Position = z.tuple([z.string(), z.uuid()])
const StartPosition = z.tuple([Timestamp, z.uuid()])

/** GET /schedules: by name. Errors: `invalid_argument` for the token of another list. */
export async function listSchedules(context: Context, input: VerbInput<typeof endpoint>): Promise<ScheduleList> {
  const { db, organization } = context
  const limit = input.pageSize ?? limits.schedules.default
  const listKey = ['schedules', organization.id, input.experimentId] as const
  const after = readPageToken(input.pageToken, Position, listKey)
  const filter = { organizationId: organization.id, experimentId: input.experimentId }
  const rows = await findSchedules(db, filter, { after, limit: limit + 1 })
  const { shown, ...next } = cutPage(rows, limit, listKey, ({ schedule }) => [schedule.name, schedule.id])
  const lastStarts = await findLastStarts(
    db,
    shown.map(({ schedule }) => schedule.id),
  )
  return { schedules: shown.map((row) => toSchedule(context, row, lastStarts.get(row.schedule.id))), ...next }
}

/** GET /schedules/{scheduleId}. Errors: `not_found`. */
export async function showSchedule(context: Context, { scheduleId }: VerbInput<typeof getSchedule>): Promise<Schedule> {
  const row = await requireSchedule(context, scheduleId)
  const lastStarts = await findLastStarts(context.db, [scheduleId])
  return toSchedule(context, row, lastStarts.get(row.schedule.id))
}

/** GET /schedules/{scheduleId}/starts: newest first. Errors: `not_found`, `invalid_argument`. */
export async function listStarts(
  context: Context,
  { scheduleId, pageSize, pageToken }: VerbInput<typeof listScheduleStarts>,
): Promise<ScheduleStartList> {
  const { schedule } = await requireSchedule(context, scheduleId)
  const limit = pageSize ?? limits.scheduleStarts.default
  const listKey = ['schedule-starts', schedule.id] as const
  const before = readPageToken(pageToken, StartPosition, listKey)
  const rows = await findStarts(context.db, schedule.id, { before, limit: limit + 1 })
  const { shown, ...next } = cutPage(rows, limit, listKey, ({ startedAt, id }) => [startedAt, id])
  return { starts: shown.map(toStart), ...next }
}

/** GET /schedules/times: the next five. Errors: `invalid_argument` for an expression or a zone that cannot be read. */
export const listTimes = async ({ db }: Context, input: VerbInput<typeof previewTimes>) => ({
  times: timesAfter(input, await clockNow(db)),
})
