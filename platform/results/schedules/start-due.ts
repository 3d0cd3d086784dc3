import { setTimeout as delay } from 'node:timers/promises'

import { logFault } from '#server-kit/log-fault.ts'
import type { Context, Services } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { exhausted, Failure } from '#platform/ground/failures/failure.ts'
import { fairLimit } from '#platform/ground/loops/fair-limit.ts'
import { notifyPaused, notifySkipped } from './notices.ts'
import { ownerContext } from './owner-context.ts'
import {
  type DueSchedule,
  findDueSchedules,
  findVersionAge,
  lockDueSchedule,
  postponeSchedule,
  restsSeconds,
  type ScheduleRow,
  updateSchedule,
} from './store.ts'
import { findLastStarts } from './starts-store.ts'
import { type Cause, NotNow, recordSkip, requireUnchanged, type Start, submitStart } from './submit-start.ts'
import { nextStart } from './times.ts'

/** The files of a version may follow its push. For this long, a start that lacks them is tried again. */
const pushSettlesSeconds = 10 * 60

/** The number of schedules that start at the same time. */
const startsAtOnce = 4

/** After this time a pass starts no more, because starts are closed between two passes. */
const passMs = 10_000

/** A start may wait for a lock, and others become due meanwhile. */
const lookAgainMs = 500

/**
 * Starts every schedule whose turn it is. Its runs, its record and its next time commit together, so a kill neither loses nor repeats a start, and several servers share the work. Starts that were missed
 * while no server ran become one. Organizations take turns, and no schedule holds up those of another. Returns whether
 * there may be more.
 */
export async function startDueSchedules(services: Services): Promise<boolean> {
  const inTurn = fairLimit(startsAtOnce)
  const endsAt = performance.now() + passMs
  const isOver = () => performance.now() >= endsAt
  const seen: string[] = []
  const starting = new Set<Promise<void>>()
  try {
    while (!isOver()) {
      for (const due of await findDueSchedules(services.db, seen)) {
        seen.push(due.scheduleId)
        const start: Promise<void> = inTurn(due.organizationId, async () => {
          if (!isOver()) await startOrPostpone(services, due)
        }).finally(() => starting.delete(start))
        starting.add(start)
      }
      if (starting.size === 0) return false
      await Promise.race([...starting, delay(lookAgainMs, undefined, { ref: false })])
    }
    return true
  } finally {
    await Promise.all(starting)
  }
}

/** Never rejects. */
async function startOrPostpone(services: Services, due: DueSchedule) {
  try {
    await startIfDue(services, due)
    services.wakeRunEngine()
  } catch (error) {
    if (error instanceof NotNow) return
    logFault(`Schedule ${due.scheduleId} could not start and is tried again in ${restsSeconds} s`, error)
    await postpone(services, due)
  }
}

async function postpone({ db }: Services, { scheduleId }: DueSchedule) {
  try {
    await postponeSchedule(db, scheduleId, restsSeconds)
  } catch (error) {
    logFault(`Schedule ${scheduleId} could not be postponed, so the next pass tries it again`, error)
  }
}

async function startIfDue(services: Services, due: DueSchedule) {
  const { db } = services
  const row = await db.transaction((tx) => lockDueSchedule(tx, due))
  if (!row) return
  const { trigger } = row.schedule
  const cause = trigger.kind === 'push' ? 'push' : 'time'
  const lock = async (tx: Database) => {
    const locked = await lockDueSchedule(tx, due)
    if (!locked) throw new NotNow()
    requireUnchanged(row, locked)
    return locked
  }
  const lockIdle = async (tx: Database) => {
    if ((await lock(tx)).isUnfinished) throw new NotNow()
  }
  const change = async (tx: Database, lastOrdinal: number) =>
    updateSchedule(tx, row.schedule.id, {
      nextAt: nextStart(trigger, await clockNow(tx)),
      ...(cause === 'push' && { lastOrdinal }),
    })
  const context = ownerContext(services, row)
  if ('reason' in context) return db.transaction(async (tx) => pause(tx, await lock(tx), context.reason))
  const refusal = await submitOrRefuse(context, { row, cause, lock: lockIdle, change })
  if (!refusal) return
  await db.transaction(async (tx) => {
    const locked = await lock(tx)
    const isIncomplete = cause === 'push' && refusal.code === 'failed_precondition'
    if (isIncomplete && (await findVersionAge(tx, row.schedule)) < pushSettlesSeconds) return
    await skip(tx, locked, cause, refusal)
    await change(tx, row.newestOrdinal)
  })
}

/** Null if it started. */
async function submitOrRefuse(context: Context, start: Start): Promise<Failure | null> {
  if (start.row.isUnfinished) return exhausted('The runs of the previous start are still unfinished')
  try {
    await submitStart(context, start)
    return null
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

async function skip(tx: Database, row: ScheduleRow, cause: Cause, { message }: Failure) {
  const before = (await findLastStarts(tx, [row.schedule.id])).get(row.schedule.id)
  const start = await recordSkip(tx, row, cause, message)
  // A start that is skipped every night for one reason is reported once.
  if (before?.skippedBecause !== message) await notifySkipped(tx, row, start)
}

async function pause(tx: Database, row: ScheduleRow, why: string) {
  const change = { isEnabled: false, pausedBecause: why, nextAt: null }
  await updateSchedule(tx, row.schedule.id, { ...change, updatedAt: await clockNow(tx) })
  await notifyPaused(tx, row, why)
}
