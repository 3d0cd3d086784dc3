import { eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'

import type { Schedule, ScheduleStart } from '#contract/schedules.ts'
import { notificationEvents } from '#platform/ground/database/tables/notifications.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'
import { schedules } from '#platform/ground/database/tables/schedules.ts'
import { finishStarts } from '#platform/results/schedules/finish-starts.ts'
import { runSuspectedAgain } from '#platform/results/schedules/run-again.ts'
import { startDueSchedules } from '#platform/results/schedules/start-due.ts'
import type { TestPlatform } from './test-platform.ts'

export const nightly = { kind: 'times', cron: '0 2 * * *', timeZone: 'Europe/Berlin' } as const

/** Creates schedules of a platform that opens before the tests, and has their time come and their runs end. */
export function scheduleTools(open: () => TestPlatform) {
  type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
  const call = (method: Method, path = '', body?: unknown, key = open().admin) =>
    open().request(method, `/schedules${path}`, { key, body })

  let names = 0
  async function add(fields: object = {}, key = open().admin): Promise<Schedule> {
    names += 1
    const body = {
      name: `Schedule ${names}`,
      experimentId: 'two-by-two',
      trigger: nightly,
      submission: { mock: true },
      ...fields,
    }
    const { status, json } = await call('POST', '', body, key)
    expect(status, JSON.stringify(json)).toBe(201)
    return json as Schedule
  }

  const get = async (id: string) => (await call('GET', `/${id}`)).json as Schedule
  const startsOf = async (id: string) => (await call('GET', `/${id}/starts`)).json.starts as ScheduleStart[]
  /** Makes it the schedule's turn, as if its time had come. */
  const makeDue = (id: string) =>
    open()
      .services.db.update(schedules)
      .set({ nextAt: sql`clock_timestamp() - interval '1 second'` })
      .where(eq(schedules.id, id))

  async function startDue(id: string) {
    await makeDue(id)
    await startDueSchedules(open().services)
    return (await startsOf(id))[0] as ScheduleStart
  }

  /** Ends the runs of a start: `isSolved` decides for each run in the order of variant and repeat. */
  async function end(start: ScheduleStart, isSolved: (place: number) => boolean | null, more: object = {}) {
    const all = await open()
      .services.db.select({ id: runs.id })
      .from(runs)
      .where(eq(runs.requestId, String(start.runRequestId)))
      .orderBy(runs.variantId, runs.repeat)
    for (const [place, { id }] of all.entries()) {
      const solved = isSolved(place)
      const outcome = solved === null ? {} : { testsPassed: Number(solved), testsFailed: Number(!solved) }
      const status = solved === null ? ('canceled' as const) : ('completed' as const)
      await open()
        .services.db.update(runs)
        .set({ status, ...outcome, ...more })
        .where(eq(runs.id, id))
    }
    await finishStarts(open().services)
  }

  const runAgain = () => runSuspectedAgain(open().services)

  /** Starts the schedule, ends its runs and returns the closed start. */
  async function night(id: string, isSolved: (place: number) => boolean | null, more?: object) {
    await end(await startDue(id), isSolved, more)
    return (await startsOf(id))[0] as ScheduleStart
  }

  const noticesOf = async (id: string) =>
    (
      await open()
        .services.db.select({ type: notificationEvents.type, payload: notificationEvents.payload })
        .from(notificationEvents)
        .where(eq(notificationEvents.subjectId, id))
        .orderBy(notificationEvents.occurredAt)
    ).map(({ type }) => type)
  return { call, add, get, startsOf, makeDue, startDue, end, night, runAgain, noticesOf }
}
