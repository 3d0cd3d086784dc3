import type { GateConfirmation, GateResult } from '#contract/schedule-gate.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { notifyVerdict } from './notices.ts'
import { findStart, type StartRow, updateStart } from './starts-store.ts'
import type { ScheduleRow } from './store.ts'

const missing = {
  no_counted_runs: 'none of the runs has a verdict',
  budget_reached: 'the budget ended some of the runs',
  canceled: 'some of the runs were canceled',
  baseline_removed: 'retention removed runs of the baseline',
  no_baseline: 'the starts of the baseline were deleted',
  unmatched: 'no variant is in common with the baseline',
  too_few: 'too few runs have a verdict',
}

/**
 * Decides about a suspected drop once its runs ran again, or once that is impossible. The caller holds the lock of the
 * schedule. A second call changes nothing. The owner is notified of a confirmed drop, unless the gate is gone meanwhile.
 */
export async function settleSuspicion(tx: Database, row: ScheduleRow, again: StartRow) {
  const start = again.confirmsId === null ? null : await findStart(tx, row.schedule.id, again.confirmsId)
  if (start?.gate?.reason !== 'suspected') return
  const { reason: _, ...suspected } = start.gate
  const confirmation = toConfirmation(again)
  const verdict = again.gate?.verdict ?? 'undecided'
  const gate: GateResult =
    verdict === 'undecided' || confirmation.missingBecause !== undefined
      ? { ...suspected, verdict: 'undecided', reason: 'not_run_again', confirmation }
      : { ...suspected, verdict, confirmation }
  await updateStart(tx, start.id, { gate })
  if (verdict === 'failed' && again.gate && row.schedule.gate)
    await notifyVerdict(tx, row, { start: again, gate: again.gate, before: null })
}

function toConfirmation({ id, requestId, skippedBecause, gate }: StartRow): GateConfirmation {
  const reason = gate?.reason
  const because =
    skippedBecause ?? (reason && reason !== 'suspected' && reason !== 'not_run_again' ? missing[reason] : null)
  return {
    startId: id,
    ...(requestId !== null && { runRequestId: requestId }),
    ...(because !== null && { missingBecause: because }),
    ...(gate?.difference !== undefined && { difference: gate.difference }),
    ...(gate?.interval && { interval: gate.interval }),
    ...(gate?.pValue !== undefined && { pValue: gate.pValue }),
  }
}
