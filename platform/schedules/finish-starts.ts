import type { GateResult } from '#contract/schedules.ts'
import type { Services } from '#platform/context/context.ts'
import type { Database } from '#platform/database/open-database.ts'
import { clockNow } from '#platform/database/clock.ts'
import { judgeGate } from './judge-gate.ts'
import { notifyVerdict } from './notices.ts'
import { findSchedule, lockSchedule, type ScheduleRow } from './store.ts'
import {
  type EndedStart,
  findBaseline,
  findDecidedBefore,
  findEndedStarts,
  findOutcomes,
  findStart,
  hasRemovedRuns,
  updateStart,
} from './starts-store.ts'

/**
 * Closes starts whose last run has ended: counts the solved runs, judges the gate and notifies. The judgment is made
 * before the transaction that locks the schedule, because it may take a second. A start that cannot be closed is tried
 * again by the next pass, and holds up no other. Resolves to the number of starts.
 */
export async function finishStarts({ db }: Pick<Services, 'db'>): Promise<number> {
  const ended = await findEndedStarts(db)
  for (const start of ended) {
    try {
      await finish(db, start)
    } catch (error) {
      console.error(`The start ${start.id} of a schedule could not be closed. The next pass tries again:`, error)
    }
  }
  return ended.length
}

type Counts = { solved: number; counted: number; gate: GateResult | null }

async function finish(db: Database, { id, ...key }: EndedStart) {
  const row = await findSchedule(db, key)
  const start = row && (await findStart(db, row.schedule.id, id))
  if (!row || !start) return
  const counts = start.requestId === null ? null : await judge(db, row, start.requestId, start)
  await db.transaction(async (tx) => {
    const locked = await lockSchedule(tx, key)
    const current = locked && (await findStart(tx, locked.schedule.id, id))
    // Another server may have closed it before the lock.
    if (!locked || !current || current.finishedAt !== null) return
    const finishedAt = await clockNow(tx)
    if (!counts) {
      await updateStart(tx, id, { finishedAt, skippedBecause: 'Its runs were deleted before they finished' })
      return
    }
    const before = await findDecidedBefore(tx, current)
    await updateStart(tx, id, { finishedAt, ...counts })
    if (counts.gate) await notifyVerdict(tx, locked, { start: current, gate: counts.gate, before })
  })
}

type Start = Parameters<typeof findBaseline>[1]

async function judge(db: Database, { schedule }: ScheduleRow, requestId: string, start: Start): Promise<Counts> {
  const outcomes = await findOutcomes(db, requestId)
  const counted = outcomes.filter(({ solved }) => solved !== null)
  const solved = counted.filter((outcome) => outcome.solved).length
  const gate = schedule.gate && judgeGate(schedule.gate, outcomes, await baselineOf(db, start))
  return { solved, counted: counted.length, gate }
}

async function baselineOf(db: Database, start: Start) {
  const baseline = await findBaseline(db, start)
  if (!baseline || baseline.requestId === null) return null
  return {
    start: baseline,
    outcomes: await findOutcomes(db, baseline.requestId),
    isIncomplete: await hasRemovedRuns(db, baseline.requestId),
  }
}
