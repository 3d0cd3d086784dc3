import type { Context } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { isUuidText } from '#platform/ground/database/is-uuid.ts'
import { denied, notFound } from '#platform/ground/failures/failure.ts'
import { findSchedule, lockSchedule, type ScheduleRow } from './store.ts'
import { canChange } from './to-schedule.ts'

const noSchedule = () => notFound('There is no such schedule')

/** Errors: `not_found`, also for a schedule of another organization. */
export async function requireSchedule({ db, organization }: Context, scheduleId: string): Promise<ScheduleRow> {
  const key = { organizationId: organization.id, scheduleId }
  const row = isUuidText(scheduleId) ? await findSchedule(db, key) : null
  if (!row) throw noSchedule()
  return row
}

/** Locks it until the transaction ends. Errors: `not_found`, `permission_denied` for callers who may not change it. */
export async function lockChangeable(context: Context, tx: Database, scheduleId: string): Promise<ScheduleRow> {
  const key = { organizationId: context.organization.id, scheduleId }
  const row = isUuidText(scheduleId) ? await lockSchedule(tx, key) : null
  if (!row) throw noSchedule()
  if (!canChange(context, row)) throw denied(`Only ${row.owner.name} or an admin can change this schedule`)
  return row
}
