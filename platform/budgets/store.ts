import { and, asc, eq, isNull, or, type SQL, sql } from 'drizzle-orm'

import type { BudgetScope } from '#contract/budgets.ts'
import type { Database } from '#platform/database/open-database.ts'
import { budgets } from '#platform/database/tables/budgets.ts'
import { creditHolds, runUsage } from '#platform/database/tables/credits.ts'
import { experiments } from '#platform/database/tables/experiments.ts'
import { memberships, organizations, users } from '#platform/database/tables/identity.ts'
import { runs } from '#platform/database/tables/runs.ts'

/** The month begins at midnight UTC, as everywhere where money has no billing cycle. */
const monthStart = sql`(date_trunc('month', clock_timestamp() at time zone 'UTC') at time zone 'UTC')`
const monthEnd = sql`((date_trunc('month', clock_timestamp() at time zone 'UTC') + interval '1 month') at time zone 'UTC')`

const isCounted = (person: SQL, experiment: SQL) => sql`case ${budgets.scope}
  when 'person' then ${person}::text = ${budgets.key}
  when 'experiment' then ${experiment} = ${budgets.key}
  else true end`

const spentSince = (start: SQL) => sql<number>`(
  select coalesce(sum(${runUsage.modelMicros} + ${runUsage.infrastructureMicros} + ${runUsage.byokMicros}), 0) / 1e6
  from ${runUsage}
  where ${runUsage.organizationId} = ${budgets.organizationId} and ${runUsage.endedAt} >= ${start}
    and ${isCounted(sql`${runUsage.userId}`, sql`${runUsage.experimentId}`)}
)::float8`

const reserved = sql<number>`(
  select coalesce(sum((part ->> 'micros')::numeric), 0) / 1e6
  from ${runs} join ${creditHolds} on ${creditHolds.runId} = ${runs.id}
  cross join lateral jsonb_array_elements(${creditHolds.parts}) as part
  where ${runs.organizationId} = ${budgets.organizationId}
    and ${runs.status} in ('queued', 'waiting_for_ci', 'running')
    and ${isCounted(sql`${runs.triggeredBy}`, sql`${runs.experimentId}`)}
)::float8`

const selectBudgets = (db: Database) =>
  db
    .select({
      budget: budgets,
      label: sql<string>`case ${budgets.scope}
        when 'person' then coalesce((select ${users.name} from ${users} where ${users.id}::text = ${budgets.key}), '')
        when 'experiment' then coalesce((select ${experiments.name} from ${experiments}
          where ${experiments.organizationId} = ${budgets.organizationId} and ${experiments.id} = ${budgets.key}), ${budgets.key})
        else '' end`,
      spentUsd: spentSince(monthStart),
      spentLastWeekUsd: spentSince(sql`clock_timestamp() - interval '7 days'`),
      reservedUsd: reserved,
      daysLeft: sql<number>`(extract(epoch from ${monthEnd} - clock_timestamp()) / 86400)::float8`,
      monthStart: sql<string>`to_char(${monthStart} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
    })
    .from(budgets)
    // With a join, drizzle names the table of each column, which the subqueries need.
    .innerJoin(organizations, eq(organizations.id, budgets.organizationId))

export type BudgetRow = Awaited<ReturnType<typeof selectBudgets>>[number]

/** That of the organization first, then by kind and name. */
export const findBudgets = (db: Database, organizationId: string): Promise<BudgetRow[]> =>
  selectBudgets(db)
    .where(eq(budgets.organizationId, organizationId))
    .orderBy(sql`array_position(array['organization', 'person', 'experiment'], ${budgets.scope})`, asc(budgets.key))

type SubmissionScope = { organizationId: string; userId: string; experimentId: string }

const countsRunsOf = ({ organizationId, userId, experimentId }: SubmissionScope) =>
  and(
    eq(budgets.organizationId, organizationId),
    eq(budgets.isHard, true),
    or(
      eq(budgets.scope, 'organization'),
      and(eq(budgets.scope, 'person'), eq(budgets.key, userId)),
      and(eq(budgets.scope, 'experiment'), eq(budgets.key, experimentId)),
    ),
  )

/**
 * Locks the hard budgets that count these runs until the transaction ends, so that two submissions at once cannot both
 * use what is left. They are locked in the order of their ids, and read in a statement of its own afterwards, which sees
 * what the other transaction has reserved.
 */
export async function lockHardBudgets(tx: Database, scope: SubmissionScope): Promise<BudgetRow[]> {
  const locked = await tx
    .select({ id: budgets.id })
    .from(budgets)
    .where(countsRunsOf(scope))
    .orderBy(asc(budgets.id))
    .for('no key update')
  return locked.length === 0 ? [] : selectBudgets(tx).where(countsRunsOf(scope)).orderBy(asc(budgets.id))
}

export async function findBudget(
  db: Database,
  { organizationId, scope, key }: { organizationId: string; scope: BudgetScope; key: string },
): Promise<BudgetRow | null> {
  const [row] = await selectBudgets(db).where(
    and(eq(budgets.organizationId, organizationId), eq(budgets.scope, scope), eq(budgets.key, key)),
  )
  return row ?? null
}

/** A changed limit warns again. */
export async function upsertBudget(tx: Database, budget: typeof budgets.$inferInsert) {
  const { monthlyLimitUsd, isHard, warnAtPercent, updatedAt } = budget
  await tx
    .insert(budgets)
    .values(budget)
    .onConflictDoUpdate({
      target: [budgets.organizationId, budgets.scope, budgets.key],
      set: { monthlyLimitUsd, isHard, warnAtPercent, updatedAt, warnedMonth: null, warnedPercent: null },
    })
}

export async function countBudgets(tx: Database, organizationId: string): Promise<number> {
  return tx.$count(budgets, eq(budgets.organizationId, organizationId))
}

/** Null if the organization has no such budget. */
export async function removeBudget(tx: Database, organizationId: string, id: string) {
  const [removed] = await tx
    .delete(budgets)
    .where(and(eq(budgets.organizationId, organizationId), eq(budgets.id, id)))
    .returning()
  return removed ?? null
}

export async function isMember(tx: Database, organizationId: string, userId: string): Promise<boolean> {
  return (
    (await tx.$count(
      memberships,
      and(eq(memberships.organizationId, organizationId), eq(memberships.userId, userId)),
    )) > 0
  )
}

/** The ids of budgets of which more is spent than they last warned of this month. */
export async function findBudgetsToWarn(db: Database): Promise<string[]> {
  const percent = sql`100 * ${spentSince(monthStart)} / ${budgets.monthlyLimitUsd}`
  const isNewMonth = or(isNull(budgets.warnedMonth), sql`${budgets.warnedMonth} < ${monthStart}`)
  const rows = await db
    .select({ id: budgets.id })
    .from(budgets)
    .where(
      or(
        and(isNewMonth, sql`${percent} >= ${budgets.warnAtPercent}`),
        and(sql`${budgets.warnedMonth} >= ${monthStart}`, sql`${budgets.warnedPercent} < 100`, sql`${percent} >= 100`),
      ),
    )
  return rows.map(({ id }) => id)
}

export async function lockBudget(tx: Database, id: string): Promise<BudgetRow | null> {
  await tx.select({ id: budgets.id }).from(budgets).where(eq(budgets.id, id)).for('update')
  const [row] = await selectBudgets(tx).where(eq(budgets.id, id))
  return row ?? null
}

export async function markWarned(tx: Database, id: string, warned: { warnedMonth: string; warnedPercent: number }) {
  await tx.update(budgets).set(warned).where(eq(budgets.id, id))
}
