import type { Caller, Context, Services } from '#platform/context/context.ts'
import type { Database } from '#platform/database/open-database.ts'
import { clockNow } from '#platform/database/clock.ts'
import { Failure } from '#platform/failures/failure.ts'
import { tellPaused, tellSkipped } from './notices.ts'
import { findVersionAge, lockDueSchedule, type ScheduleRow, updateSchedule } from './store.ts'
import { findLastStarts } from './starts-store.ts'
import { type Cause, recordSkip, submitStart } from './submit-start.ts'
import { nextStart } from './times.ts'

/** The files of a pushed version may follow it. So long, a start that the platform refuses is tried again. */
const pushSettlesSeconds = 10 * 60

/**
 * Starts every schedule whose turn it is, each in a transaction of its own: its runs, its record and its next time commit
 * together, so a kill neither loses nor repeats a start, and several servers share the work. Starts that were missed
 * while no server ran become one. Resolves to the number of schedules that had their turn.
 */
export async function startDueSchedules(services: Services): Promise<number> {
  const done: string[] = []
  for (;;) {
    const scheduleId = await services.db.transaction((tx) => startNext({ ...services, db: tx }, done))
    if (scheduleId === null) break
    done.push(scheduleId)
  }
  if (done.length > 0) services.wakeRunEngine()
  return done.length
}

async function startNext(services: Services, except: readonly string[]): Promise<string | null> {
  const { db: tx } = services
  const row = await lockDueSchedule(tx, except)
  if (!row) return null
  const { id, trigger } = row.schedule
  const cause = trigger.kind === 'push' ? 'push' : 'time'
  const context = ownerContext(services, row)
  if (!context) {
    await pause(tx, row, `${row.owner.name} has left the organization`)
    return id
  }
  const why = await whyNotStarted(context, row, cause)
  if (why !== null) {
    if (cause === 'push' && (await findVersionAge(tx, row.schedule)) < pushSettlesSeconds) return id
    await skip(tx, row, cause, why)
  }
  await updateSchedule(tx, id, {
    nextAt: nextStart(trigger, await clockNow(tx)),
    ...(cause === 'push' && { lastOrdinal: row.newestOrdinal }),
  })
  return id
}

/** Null if it started. */
async function whyNotStarted(context: Context, row: ScheduleRow, cause: Cause): Promise<string | null> {
  if (row.isUnfinished) return 'The runs of the start before have not finished'
  try {
    await submitStart(context, row, cause)
    return null
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}

async function skip(tx: Database, row: ScheduleRow, cause: Cause, why: string) {
  const before = (await findLastStarts(tx, [row.schedule.id])).get(row.schedule.id)
  const start = await recordSkip(tx, row, cause, why)
  // A start that is skipped every night for one reason is told once.
  if (before?.skippedBecause !== why) await tellSkipped(tx, row, start)
}

async function pause(tx: Database, row: ScheduleRow, why: string) {
  const change = { isEnabled: false, pausedBecause: why, nextAt: null }
  await updateSchedule(tx, row.schedule.id, { ...change, updatedAt: await clockNow(tx) })
  await tellPaused(tx, row, why)
}

/** The context of a request that the owner would send; null if the owner is no longer a member. */
function ownerContext(services: Services, { owner, ownerRole, organization }: ScheduleRow): Context | null {
  if (ownerRole === null) return null
  const joined = { ...organization, role: ownerRole }
  const caller: Caller = { actor: owner, userId: owner.id, keyKind: 'personal', keyId: null, organizations: [joined] }
  return { ...services, caller, organization: joined }
}
