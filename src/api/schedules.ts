import type { CallInput } from '#contract/endpoint.ts'
import {
  acceptStart,
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  listScheduleStarts,
  previewTimes,
  type ScheduleList,
  type ScheduleStartList,
  startSchedule,
  updateSchedule,
} from '#contract/schedules.ts'
import { limits } from '#contract/wire/limit.ts'
import { call } from './call.ts'
import { infiniteListOptions, wholeListOptions } from './infinite-list.ts'
import { endpointKey, endpointOptions, refresherOf } from './query-client.ts'

const schedulesOf = ({ schedules }: ScheduleList) => schedules
const startsOf = ({ starts }: ScheduleStartList) => starts

/** Schedules start by themselves, so their pages look for news at any time. */
const pollMs = 10_000

export const scheduleListOptions = (experimentId?: string) => {
  const page = { experimentId, pageSize: limits.schedules.max }
  return {
    ...wholeListOptions({
      queryKey: endpointKey(listSchedules, page),
      readPage: (pageToken, signal) => call(listSchedules, { ...page, pageToken }, signal),
      nextToken: ({ nextPageToken }) => nextPageToken,
      rowsOf: schedulesOf,
    }),
    refetchInterval: pollMs,
  }
}

export const scheduleOptions = (scheduleId: string) => ({
  ...endpointOptions(getSchedule, { scheduleId }),
  refetchInterval: pollMs,
})

export const startListOptions = (scheduleId: string) => {
  const page = { scheduleId, pageSize: 50 }
  return infiniteListOptions({
    queryKey: endpointKey(listScheduleStarts, page),
    queryFn: ({ pageParam, signal }) => call(listScheduleStarts, { ...page, pageToken: pageParam }, signal),
    getNextPageParam: ({ nextPageToken }) => nextPageToken,
    rowsOf: startsOf,
    refetchInterval: pollMs,
  })
}

export const nextTimesOptions = (input: CallInput<typeof previewTimes>) => ({
  ...endpointOptions(previewTimes, input),
  retry: false,
})

const thenRefresh = refresherOf(['schedules'])

export const addSchedule = (body: CallInput<typeof createSchedule>) => thenRefresh(call(createSchedule, body))

export const changeSchedule = (input: CallInput<typeof updateSchedule>) => thenRefresh(call(updateSchedule, input))

export const startNow = (scheduleId: string) => thenRefresh(call(startSchedule, { scheduleId }))

export const acceptDrop = (input: CallInput<typeof acceptStart>) => thenRefresh(call(acceptStart, input))

export const removeSchedule = (scheduleId: string) => thenRefresh(call(deleteSchedule, { scheduleId }))
