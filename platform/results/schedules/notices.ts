import type { GateResult } from '#contract/schedule-gate.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { notify } from '#platform/people/notifications/notify.ts'
import type { ScheduleRow } from './store.ts'
import type { StartRow } from './starts-store.ts'

const about = ({ schedule, experimentName }: ScheduleRow) => ({
  organizationId: schedule.organizationId,
  actor: null,
  subject: { type: 'schedule', id: schedule.id },
  payload: { name: schedule.name, experiment_id: schedule.experimentId, experiment_name: experimentName },
})

/** Tells the owner, and nobody else, that a start submitted nothing. */
export async function notifySkipped(tx: Database, row: ScheduleRow, start: StartRow) {
  const { payload, ...rest } = about(row)
  await notify(tx, {
    ...rest,
    type: 'schedule.skipped',
    source: `schedule.skipped:${start.id}`,
    payload: { ...payload, reason: start.skippedBecause ?? '' },
    to: { userIds: [row.schedule.ownerId] },
  })
}

/** Tells the admins, because the owner has left. */
export async function notifyPaused(tx: Database, row: ScheduleRow, why: string) {
  const { payload, ...rest } = about(row)
  await notify(tx, {
    ...rest,
    type: 'schedule.paused',
    source: `schedule.paused:${row.schedule.id}:${row.schedule.updatedAt}`,
    payload: { ...payload, reason: why },
    to: { roles: ['admin'] },
  })
}

type Verdict = { start: StartRow; gate: GateResult; before: GateResult | null }

/** Tells the owner of every confirmed drop, of each later start that is still down, and of the first that passes again. */
export async function notifyVerdict(tx: Database, row: ScheduleRow, { start, gate, before }: Verdict) {
  const hasRecovered = gate.verdict === 'passed' && before?.verdict === 'failed' && !before.isAccepted
  if (gate.verdict !== 'failed' && !hasRecovered) return
  const type = hasRecovered ? 'schedule.recovered' : 'schedule.dropped'
  const { payload, ...rest } = about(row)
  await notify(tx, {
    ...rest,
    type,
    source: `${type}:${start.id}`,
    payload: {
      ...payload,
      run_request_id: start.requestId,
      baseline_request_id: gate.baseline?.runRequestId ?? null,
      difference: gate.difference ?? 0,
    },
    to: { userIds: [row.schedule.ownerId] },
  })
}

/** Tells the owner once that the solved rate declines slowly. */
export async function notifyDecline(
  tx: Database,
  row: ScheduleRow,
  start: StartRow,
  { since, starts, perStart }: NonNullable<GateResult['decline']>,
) {
  const { payload, ...rest } = about(row)
  await notify(tx, {
    ...rest,
    type: 'schedule.declining',
    source: `schedule.declining:${start.id}`,
    payload: { ...payload, since, starts, per_start: perStart },
    to: { userIds: [row.schedule.ownerId] },
  })
}
