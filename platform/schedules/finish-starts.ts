import type { Services } from '#platform/context/context.ts'
import type { Database } from '#platform/database/open-database.ts'
import { clockNow } from '#platform/database/clock.ts'
import { judgeGate } from './judge-gate.ts'
import { tellVerdict } from './notices.ts'
import { lockSchedule, type ScheduleRow } from './store.ts'
import {
  findBaseline,
  findDecidedBefore,
  findEndedStarts,
  findOutcomes,
  findStart,
  updateStart,
} from './starts-store.ts'

/**
 * Closes the starts whose last run has ended: counts the solved runs, judges the gate and notifies, each start in a
 * transaction that locks its schedule. Resolves to the number of starts.
 */
export async function finishStarts({ db }: Pick<Services, 'db'>): Promise<number> {
  const ended = await findEndedStarts(db)
  for (const { id, ...key } of ended)
    await db.transaction(async (tx) => {
      const row = await lockSchedule(tx, key)
      if (row) await finish(tx, row, id)
    })
  return ended.length
}

async function finish(tx: Database, row: ScheduleRow, startId: string) {
  const start = await findStart(tx, row.schedule.id, startId)
  // Another server may have closed it before the lock.
  if (!start || start.finishedAt !== null) return
  const finishedAt = await clockNow(tx)
  if (start.requestId === null) {
    await updateStart(tx, startId, { finishedAt, skippedBecause: 'Its runs were deleted before they finished' })
    return
  }
  const outcomes = await findOutcomes(tx, start.requestId)
  const counted = outcomes.filter(({ solved }) => solved !== null)
  const solved = counted.filter((outcome) => outcome.solved).length
  const gate = row.schedule.gate && judgeGate(row.schedule.gate, outcomes, await baselineOf(tx, start))
  const before = await findDecidedBefore(tx, start)
  await updateStart(tx, startId, { finishedAt, solved, counted: counted.length, gate })
  if (gate) await tellVerdict(tx, row, { start, gate, before })
}

async function baselineOf(tx: Database, start: Parameters<typeof findBaseline>[1]) {
  const baseline = await findBaseline(tx, start)
  if (!baseline || baseline.requestId === null) return null
  return { start: baseline, outcomes: await findOutcomes(tx, baseline.requestId) }
}
