import { and, desc, eq, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'

import type { GateResult } from '#contract/schedule-gate.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { runRemovals } from '#platform/ground/database/tables/retention.ts'
import { runRequests, runs } from '#platform/ground/database/tables/runs.ts'
import { schedules, scheduleStarts } from '#platform/ground/database/tables/schedules.ts'
import { isSolved } from '#platform/ground/database/tables/solved-runs.ts'
import type { StartRow } from './starts-store.ts'

const verdict = sql`${scheduleStarts.gate} ->> 'verdict'`
const reason = sql`${scheduleStarts.gate} ->> 'reason'`

type At = Pick<StartRow, 'scheduleId' | 'startedAt'>

/** Earlier starts with runs that count, none of them older than the newest that a person accepted. */
const isComparable = ({ scheduleId, startedAt }: At) =>
  and(
    eq(scheduleStarts.scheduleId, scheduleId),
    lt(scheduleStarts.startedAt, startedAt),
    isNotNull(scheduleStarts.requestId),
    sql`${scheduleStarts.counted} > 0`,
    sql`${scheduleStarts.startedAt} >= coalesce((
      select max(accepted.started_at) from ${scheduleStarts} accepted
      where accepted.schedule_id = ${scheduleId} and accepted.started_at < ${startedAt}::timestamptz
        and accepted.confirms_id is null and (accepted.gate ->> 'isAccepted')::boolean
    ), '-infinity')`,
  )

/**
 * The newest earlier starts that a gate may compare with, newest first. One that failed is not among them, unless a
 * person accepted it, and neither is one with a drop that was not run again.
 */
export const findPassed = (tx: Database, at: At, limit: number): Promise<StartRow[]> =>
  tx
    .select()
    .from(scheduleStarts)
    .where(
      and(
        isComparable(at),
        or(
          isNull(scheduleStarts.gate),
          sql`${verdict} = 'passed'`,
          sql`(${scheduleStarts.gate} ->> 'isAccepted')::boolean`,
          sql`${reason} in ('no_baseline', 'baseline_removed', 'unmatched', 'too_few')`,
        ),
      ),
    )
    .orderBy(desc(scheduleStarts.startedAt), desc(scheduleStarts.id))
    .limit(limit)

/** The newest earlier starts whose runs all ended by themselves, whatever their gate said, newest first. */
export const findEarlier = (tx: Database, at: At, limit: number): Promise<StartRow[]> =>
  tx
    .select()
    .from(scheduleStarts)
    .where(
      and(
        isComparable(at),
        isNull(scheduleStarts.confirmsId),
        sql`coalesce(${reason}, '') not in ('budget_reached', 'canceled')`,
      ),
    )
    .orderBy(desc(scheduleStarts.startedAt), desc(scheduleStarts.id))
    .limit(limit)

/** The newest earlier start that finished with a decided gate. */
export async function findDecidedBefore(tx: Database, { scheduleId, startedAt }: At): Promise<GateResult | null> {
  const [row] = await tx
    .select({ gate: scheduleStarts.gate })
    .from(scheduleStarts)
    .where(
      and(
        eq(scheduleStarts.scheduleId, scheduleId),
        lt(scheduleStarts.startedAt, startedAt),
        sql`${verdict} in ('passed', 'failed')`,
      ),
    )
    .orderBy(desc(scheduleStarts.startedAt), desc(scheduleStarts.id))
    .limit(1)
  return row?.gate ?? null
}

/** Whether the last earlier start with a judged trend declined, and nobody accepted it. */
export async function wasDeclining(tx: Database, at: At): Promise<boolean> {
  const [before] = await findEarlier(tx, at, 1)
  return before?.gate?.decline !== undefined && !before.gate.isAccepted
}

/** The runs of requests: by request and variant, how many count and how many of them are solved. */
export async function countOutcomes(tx: Database, requestIds: readonly string[]) {
  if (requestIds.length === 0) return []
  return tx
    .select({
      requestId: runs.requestId,
      variantId: runs.variantId,
      runs: sql<number>`count(${isSolved})::int`,
      solved: sql<number>`(count(*) filter (where ${isSolved}))::int`,
      hitBudget: sql<boolean>`coalesce(bool_or(${runs.costLimitHit} = 'request'), false)`,
      hasCanceled: sql<boolean>`bool_or(${runs.status} = 'canceled')`,
    })
    .from(runs)
    .where(inArray(runs.requestId, [...requestIds]))
    .groupBy(runs.requestId, runs.variantId)
}

/** The requests of which retention removed runs. What is left of them is no sample: people keep runs for a reason. */
export async function findRemoved(tx: Database, requestIds: readonly string[]): Promise<Set<string>> {
  if (requestIds.length === 0) return new Set()
  const rows = await tx
    .selectDistinct({ requestId: runRemovals.requestId })
    .from(runRemovals)
    .where(and(inArray(runRemovals.requestId, [...requestIds]), eq(runRemovals.kind, 'runs')))
  return new Set(rows.map(({ requestId }) => requestId))
}

export type SuspectedStart = { id: string; scheduleId: string; organizationId: string }

/** Starts with a suspected drop that has not been run again, oldest first. */
export const findSuspected = (db: Database): Promise<SuspectedStart[]> =>
  db
    .select({ id: scheduleStarts.id, scheduleId: schedules.id, organizationId: schedules.organizationId })
    .from(scheduleStarts)
    .innerJoin(schedules, eq(schedules.id, scheduleStarts.scheduleId))
    .where(
      and(
        sql`${reason} = 'suspected'`,
        sql`not exists (select 1 from ${scheduleStarts} again where again.confirms_id = ${scheduleStarts.id})`,
        sql`(${schedules.restsUntil} is null or ${schedules.restsUntil} <= clock_timestamp())`,
      ),
    )
    .orderBy(scheduleStarts.startedAt, scheduleStarts.id)

/** The start that runs another one again. */
export async function findConfirming(tx: Database, startId: string): Promise<StartRow | null> {
  const [row] = await tx.select().from(scheduleStarts).where(eq(scheduleStarts.confirmsId, startId))
  return row ?? null
}

/** What a request submitted. */
export async function findSubmitted(tx: Database, requestId: string) {
  const { fingerprint, variantIds, repeat, flags, mock } = runRequests
  const [row] = await tx
    .select({ fingerprint, variantIds, repeat, flags, mock })
    .from(runRequests)
    .where(eq(runRequests.id, requestId))
  return row ?? null
}
