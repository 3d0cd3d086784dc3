import { v7 as newId } from 'uuid'

import type { ScheduleStart, StartCause } from '#contract/schedules.ts'
import type { z } from 'zod'
import { limits } from '#contract/wire/limit.ts'
import { dollarText } from '#contract/wire/money-text.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { exhausted } from '#platform/ground/failures/failure.ts'
import { submitRuns } from '#platform/queue/runs/submit-runs.ts'
import type { ScheduleRow } from './store.ts'
import { insertStart, type StartRow, trimStarts } from './starts-store.ts'

export type Cause = z.infer<typeof StartCause>

/** Another server or a person started or changed the schedule while its start was prepared. A later pass looks again. */
export class NotNow extends Error {}

/** A schedule that was read before is locked now. Throws `NotNow` if it was changed meanwhile. */
export function requireUnchanged({ schedule }: ScheduleRow, locked: ScheduleRow) {
  if (locked.schedule.updatedAt !== schedule.updatedAt) throw new NotNow()
}

export type Start = {
  row: ScheduleRow
  cause: Cause
  again?: RunAgain
  /** Locks the schedule, which was read before. Throws `NotNow` if it was changed or started meanwhile. */
  lock: (tx: Database) => Promise<unknown>
  /** What else changes with the start of this version. */
  change?: (tx: Database, ordinal: number) => Promise<void>
}

/**
 * Submits the runs of a schedule with what is left of its budget. The transaction that makes them visible also locks the
 * schedule, records the start and makes the change. Errors: as of a submission, those of `lock`, and
 * `resource_exhausted` when the budget of the month is used up.
 */
export async function submitStart(context: Context, { row, cause, again, lock, change }: Start): Promise<StartRow> {
  const { experimentId } = row.schedule
  const submission = {
    maxCostUsd: row.schedule.submission.maxCostUsd,
    ...(again?.submission ?? row.schedule.submission),
  }
  const budget = submission.mock ? null : budgetOf(row)
  if (budget !== null && budget <= 0)
    throw exhausted(`The budget of ${dollarText(row.schedule.monthlyBudgetUsd ?? 0)} for this month is used up`)
  const limitsOfCost = [submission.maxCostUsd, budget].filter((limit) => typeof limit === 'number')
  const input = {
    ...submission,
    id: experimentId,
    ...(limitsOfCost.length > 0 && !submission.mock && { maxCostUsd: Math.min(...limitsOfCost) }),
  }
  // A transaction that is repeated records another start, and the first one is gone with it.
  const recorded: StartRow[] = []
  await submitRuns(context, input, {
    claim: lock,
    async record(tx, { requestId, ordinal }) {
      recorded.push(await recordStart(tx, row, { cause, requestId, ordinal, confirmsId: again?.confirmsId ?? null }))
      await change?.(tx, ordinal)
    },
  })
  const start = recorded.at(-1)
  if (!start) throw new Error('a start was submitted without its record')
  return start
}

/** The start with a suspected drop, and what it submitted. */
type RunAgain = { submission: ScheduleRow['schedule']['submission']; confirmsId: string }

const budgetOf = ({ schedule: { monthlyBudgetUsd }, spentThisMonthUsd }: ScheduleRow) =>
  monthlyBudgetUsd === null ? null : monthlyBudgetUsd - spentThisMonthUsd

/** Records a start that submitted nothing. */
export const recordSkip = (
  tx: Database,
  row: ScheduleRow,
  cause: Cause,
  why: string,
  confirmsId: string | null = null,
): Promise<StartRow> => recordStart(tx, row, { cause, skippedBecause: why, confirmsId })

type NewStart = Pick<ScheduleStart, 'cause' | 'ordinal' | 'skippedBecause'> & {
  requestId?: string
  confirmsId: string | null
}

async function recordStart(tx: Database, { schedule }: ScheduleRow, start: NewStart): Promise<StartRow> {
  const now = await clockNow(tx)
  const stored = await insertStart(tx, {
    ...start,
    id: newId(),
    scheduleId: schedule.id,
    startedAt: now,
    finishedAt: start.skippedBecause === undefined ? null : now,
  })
  await trimStarts(tx, schedule.id, limits.startsPerSchedule)
  return stored
}
