import type { VerbInput } from '#contract/endpoint.ts'
import type { acceptStart, ScheduleStart, startSchedule } from '#contract/schedules.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { notFound, preconditionFailed } from '#platform/ground/failures/failure.ts'
import { isUuidText } from '#platform/ground/database/is-uuid.ts'
import { findConfirming } from './gate-store.ts'
import { lockChangeable } from './require-schedule.ts'
import { findStart, updateStart } from './starts-store.ts'
import { updateSchedule } from './store.ts'
import { NotNow, requireUnchanged, submitStart } from './submit-start.ts'
import { toStart } from './to-schedule.ts'

/**
 * POST /schedules/{scheduleId}/start: in the caller's name; also for a paused schedule. Errors: `not_found`,
 * `permission_denied`, `failed_precondition` while a start is running, `resource_exhausted` for credit and budget, and
 * those of a submission.
 */
export async function startByPerson(
  context: Context,
  { scheduleId }: VerbInput<typeof startSchedule>,
): Promise<ScheduleStart> {
  const lock = async (tx: Database) => {
    const row = await lockChangeable(context, tx, scheduleId)
    if (row.isUnfinished) throw preconditionFailed('The runs of the previous start are still unfinished')
    return row
  }
  const row = await context.db.transaction(lock)
  const start = await submitStart(context, {
    row,
    cause: 'person',
    lock: async (tx) => requireUnchanged(row, await lock(tx)),
    async change(tx, lastOrdinal) {
      // The scheduler would start the same version again.
      if (row.schedule.trigger.kind === 'push') await updateSchedule(tx, scheduleId, { lastOrdinal })
    },
  }).catch((error: unknown) => {
    throw error instanceof NotNow
      ? preconditionFailed('The schedule was changed meanwhile. Look at it and start it again')
      : error
  })
  context.wakeRunEngine()
  return toStart(start)
}

/**
 * POST /schedules/{scheduleId}/starts/{startId}/accept: also accepts the start that confirmed the drop. A second call
 * changes nothing. Errors: `not_found`, `permission_denied`, `failed_precondition` for a start that neither failed its gate
 * nor shows a decline, and for one that confirms another.
 */
export async function acceptDrop(
  context: Context,
  { scheduleId, startId }: VerbInput<typeof acceptStart>,
): Promise<ScheduleStart> {
  return context.db.transaction(async (tx) => {
    const { schedule } = await lockChangeable(context, tx, scheduleId)
    const start = isUuidText(startId) ? await findStart(tx, schedule.id, startId) : null
    if (!start) throw notFound('There is no such start')
    if (start.confirmsId !== null) throw preconditionFailed('Accept the start whose drop this one confirms')
    if (!start.gate || (start.gate.verdict !== 'failed' && !start.gate.decline))
      throw preconditionFailed('The gate of this start did not fail')
    const gate = { ...start.gate, isAccepted: true }
    await updateStart(tx, start.id, { gate })
    const again = await findConfirming(tx, start.id)
    if (again?.gate) await updateStart(tx, again.id, { gate: { ...again.gate, isAccepted: true } })
    return toStart({ ...start, gate })
  })
}
