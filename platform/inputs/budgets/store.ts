import { and, asc, type Column, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'

import type { BudgetScope } from '#contract/budgets.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { budgets } from '#platform/ground/database/tables/budgets.ts'
import { creditHolds, runUsage } from '#platform/ground/database/tables/credits.ts'
import { experiments } from '#platform/ground/database/tables/experiments.ts'
import { memberships, organizations, users } from '#platform/ground/database/tables/identity.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'

/**
 * The month starts at midnight UTC, as everywhere where money has no billing cycle. It is that of the transaction's start,
 * so all statements of a transaction mean the same month.
 */
const monthStart = sql`(date_trunc('month', now() at time zone 'UTC') at time zone 'UTC')`
const monthEnd = sql`((date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC')`

const cost = sql`${runUsage.modelMicros} + ${runUsage.infrastructureMicros} + ${runUsage.byokMicros}`
const weekStart = sql`(now() - interval '7 days')`

const spentSince = (start: SQL) =>
  sql<number>`(coalesce(sum(${cost}) filter (where ${runUsage.endedAt} >= ${start}), 0) / 1e6)::float8`

/** Dollars of one person's runs of one experiment, and of one model if models were asked for. */
export type Spending = {
  userId: string
  experimentId: string
  model?: string | null
  month: number
  lastWeek: number
  reserved: number
}

type Only = { userId: string } | { experimentId: string }

const isOf = (columns: { userId: Column; experimentId: Column }, only: Only | undefined) =>
  only && ('userId' in only ? eq(columns.userId, only.userId) : eq(columns.experimentId, only.experimentId))

/**
 * What an organization spends and reserves, in one pass over the month, however many budgets it has; with `only`, of one
 * person or experiment. `byModel` reads more: the index of the month lacks the models. It is one statement, so that a run
 * that ends meanwhile is either reserved or spent.
 */
export async function sumSpending(
  db: Database,
  organizationId: string,
  { only, byModel = false }: { only?: Only | undefined; byModel?: boolean } = {},
): Promise<Spending[]> {
  const spent = db
    .select({
      userId: runUsage.userId,
      experimentId: runUsage.experimentId,
      ...(byModel && { model: runUsage.model }),
      month: spentSince(monthStart),
      lastWeek: spentSince(weekStart),
      reserved: sql<number>`0`,
    })
    .from(runUsage)
    .where(
      and(eq(runUsage.organizationId, organizationId), sql`${runUsage.endedAt} >= least(${monthStart}, ${weekStart})`),
    )
    .groupBy(runUsage.userId, runUsage.experimentId, ...(byModel ? [runUsage.model] : []))
  const reserved = db
    .select({
      userId: runs.triggeredBy,
      experimentId: runs.experimentId,
      ...(byModel && { model: runs.model }),
      month: sql<number>`0`,
      lastWeek: sql<number>`0`,
      reserved: sql<number>`(coalesce(sum(${creditHolds.ownKeyMicros} + coalesce((
        select sum((part ->> 'micros')::numeric) from jsonb_array_elements(${creditHolds.parts}) as part
      ), 0)), 0) / 1e6)::float8`,
    })
    .from(runs)
    .innerJoin(creditHolds, eq(creditHolds.runId, runs.id))
    .where(
      and(
        eq(runs.organizationId, organizationId),
        isOf({ userId: runs.triggeredBy, experimentId: runs.experimentId }, only),
        inArray(runs.status, ['queued', 'waiting_for_ci', 'running']),
      ),
    )
    .groupBy(runs.triggeredBy, runs.experimentId, ...(byModel ? [runs.model] : []))
  return unionAll(spent, reserved)
}

const selectBudgets = (db: Database) =>
  db
    .select({
      budget: budgets,
      label: sql<string>`case ${budgets.scope}
        when 'person' then coalesce((select ${users.name} from ${users} where ${users.id}::text = ${budgets.key}), '')
        when 'experiment' then coalesce((select ${experiments.name} from ${experiments}
          where ${experiments.organizationId} = ${budgets.organizationId} and ${experiments.id} = ${budgets.key}), ${budgets.key})
        when 'provider' then case ${budgets.key} when 'anthropic' then 'Anthropic' when 'openai' then 'OpenAI' else 'Google' end
        else '' end`,
      daysLeft: sql<number>`(extract(epoch from ${monthEnd} - now()) / 86400)::float8`,
      monthStart: sql<string>`to_char(${monthStart} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
    })
    .from(budgets)
    // With a join, drizzle names the table of each column, which the subqueries need.
    .innerJoin(organizations, eq(organizations.id, budgets.organizationId))

export type BudgetRow = Awaited<ReturnType<typeof selectBudgets>>[number]

/** That of the organization first, then by scope and key. */
export const findBudgets = (db: Database, organizationId: string): Promise<BudgetRow[]> =>
  selectBudgets(db)
    .where(eq(budgets.organizationId, organizationId))
    .orderBy(
      sql`array_position(array['organization', 'person', 'experiment', 'provider'], ${budgets.scope})`,
      asc(budgets.key),
    )

type SubmissionScope = {
  organizationId: string
  userId: string
  experimentIds: readonly string[]
  providers: readonly string[]
}

const countsRunsOf = ({ organizationId, userId, experimentIds, providers }: SubmissionScope) =>
  and(
    eq(budgets.organizationId, organizationId),
    eq(budgets.isHard, true),
    or(
      eq(budgets.scope, 'organization'),
      and(eq(budgets.scope, 'person'), eq(budgets.key, userId)),
      and(eq(budgets.scope, 'experiment'), inArray(budgets.key, [...experimentIds])),
      and(eq(budgets.scope, 'provider'), inArray(budgets.key, [...providers])),
    ),
  )

/**
 * Locks the hard budgets that count these runs until the transaction ends, so that two submissions at once cannot both
 * use what is left. They are locked in the order of their ids. What is spent is read afterwards, in a statement that sees
 * what the other transaction has reserved.
 */
export const lockHardBudgets = (tx: Database, scope: SubmissionScope) =>
  tx.select({ budget: budgets }).from(budgets).where(countsRunsOf(scope)).orderBy(asc(budgets.id)).for('no key update')

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

const newestUsage = sql`(select max(${runUsage.endedAt}) from ${runUsage}
  where ${runUsage.organizationId} = ${organizations.id})`

/**
 * The newest usage of each organization that has a budget; null before its first run. Until it is two minutes old, usage
 * that ended earlier may still be committed.
 */
export const findNewestUsage = (db: Database) =>
  db
    .select({
      organizationId: organizations.id,
      newest: sql<string | null>`${newestUsage}::text`,
      isSettled: sql<boolean>`${newestUsage} < clock_timestamp() - interval '2 minutes'`,
      changed: sql<string>`max(${budgets.updatedAt})::text`,
    })
    .from(organizations)
    .innerJoin(budgets, eq(budgets.organizationId, organizations.id))
    .groupBy(organizations.id)

export async function lockBudget(tx: Database, id: string): Promise<BudgetRow | null> {
  await tx.select({ id: budgets.id }).from(budgets).where(eq(budgets.id, id)).for('update')
  const [row] = await selectBudgets(tx).where(eq(budgets.id, id))
  return row ?? null
}

export async function markWarned(tx: Database, id: string, warned: { warnedMonth: string; warnedPercent: number }) {
  await tx.update(budgets).set(warned).where(eq(budgets.id, id))
}
