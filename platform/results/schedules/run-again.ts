import { logFault } from '#server-kit/log-fault.ts'
import type { Services } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { Failure } from '#platform/ground/failures/failure.ts'
import { findConfirming, findSubmitted, findSuspected, type SuspectedStart } from './gate-store.ts'
import { notifySkipped } from './notices.ts'
import { ownerContext } from './owner-context.ts'
import { settleSuspicion } from './settle-suspicion.ts'
import { lockSchedule, postponeSchedule, restsSeconds, type ScheduleRow } from './store.ts'
import { findStart, type StartRow } from './starts-store.ts'
import { NotNow, recordSkip, requireUnchanged, submitStart } from './submit-start.ts'

/**
 * Runs each start with a suspected drop again: the same variants of the same version, as often, within what is left of the
 * budget. Its runs and its record commit together, and a start is run again at most once, so a kill neither loses nor
 * repeats it. Where that is refused, the reason is recorded and the drop stays unconfirmed. Resolves to their number.
 */
export async function runSuspectedAgain(services: Services): Promise<number> {
  const suspected = await findSuspected(services.db)
  for (const start of suspected) {
    try {
      await runAgain(services, start)
      services.wakeRunEngine()
    } catch (error) {
      logFault(`The start ${start.id} of a schedule could not be run again. It is tried again later`, error)
      await postponeSchedule(services.db, start.scheduleId, restsSeconds)
    }
  }
  return suspected.length
}

/** Throws `NotNow` if another server was first, or while a newer start runs: starts do not overlap. */
async function lockSuspected(tx: Database, { id, ...key }: SuspectedStart) {
  const row = await lockSchedule(tx, key)
  const start = row && (await findStart(tx, row.schedule.id, id))
  if (!row || start?.gate?.reason !== 'suspected') throw new NotNow()
  if (row.isUnfinished || (await findConfirming(tx, id))) throw new NotNow()
  return { row, start }
}

async function runAgain(services: Services, suspected: SuspectedStart) {
  const { db } = services
  try {
    const { row, start } = await db.transaction((tx) => lockSuspected(tx, suspected))
    const lock = async (tx: Database) => {
      const { row: locked } = await lockSuspected(tx, suspected)
      requireUnchanged(row, locked)
    }
    const refusal = await submitOrRefuse(services, { row, start, lock })
    if (refusal === null) return
    await db.transaction(async (tx) => {
      await lock(tx)
      const skipped = await recordSkip(tx, row, 'confirmation', refusal, start.id)
      await settleSuspicion(tx, row, skipped)
      if (row.schedule.gate) await notifySkipped(tx, row, skipped)
    })
  } catch (error) {
    if (!(error instanceof NotNow)) throw error
  }
}

type Again = { row: ScheduleRow; start: StartRow; lock: (tx: Database) => Promise<unknown> }

/** Why it was refused; null if it started. */
async function submitOrRefuse(services: Services, { row, start, lock }: Again): Promise<string | null> {
  const refusal = whyNot(row)
  const submitted = start.requestId === null ? null : await findSubmitted(services.db, start.requestId)
  const context = ownerContext(services, row)
  if (refusal !== null) return refusal
  if (!submitted) return 'The runs of the start were deleted'
  if ('reason' in context) return context.reason
  const { fingerprint: version, ...others } = submitted
  const again = { submission: { version, ...others }, confirmsId: start.id }
  try {
    await submitStart(context, { row, cause: 'confirmation', again, lock })
    return null
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}

function whyNot({ schedule }: ScheduleRow): string | null {
  if (!schedule.isEnabled) return 'The schedule is paused'
  return schedule.gate ? null : 'The schedule no longer checks for drops'
}
