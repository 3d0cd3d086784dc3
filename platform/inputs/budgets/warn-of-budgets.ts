import { logFault } from '#server-kit/log-fault.ts'
import type { Services } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { notify } from '#platform/people/notifications/notify.ts'
import {
  type BudgetRow,
  findBudgets,
  findNewestUsage,
  lockBudget,
  markWarned,
  type Spending,
  sumSpending,
} from './store.ts'
import { countSpending, hasProvider, toBudget } from './to-budget.ts'

/** What was seen of each organization at the last look, if it was settled: one without news needs no sums. */
export type Seen = Map<string, string>

/**
 * Warns the admins, and the person of a personal budget, of each budget at its own percentage and again at its limit,
 * once a month each. Any number of servers may call it. An organization that meets a fault is tried again by the next call,
 * and holds up no other.
 */
export async function warnOfBudgets({ db }: Pick<Services, 'db'>, seen: Seen = new Map()) {
  for (const { organizationId, newest, isSettled, changed } of await findNewestUsage(db)) {
    const state = `${newest} ${changed}`
    if (newest === null || seen.get(organizationId) === state) continue
    try {
      await warnOf(db, organizationId)
      if (isSettled) seen.set(organizationId, state)
    } catch (error) {
      logFault(`The budgets of organization ${organizationId} could not be checked. They are checked again`, error)
    }
  }
}

async function warnOf(db: Database, organizationId: string) {
  const rows = await findBudgets(db, organizationId)
  const byModel = hasProvider(rows)
  const spending = await sumSpending(db, organizationId, { byModel })
  for (const row of rows)
    if (levelOf(row, spending) > warnedLevel(row))
      await db.transaction(async (tx) => {
        const locked = await lockBudget(tx, row.budget.id)
        // Summed again, in the month that this transaction sees.
        if (locked) await warn(tx, locked, await sumSpending(tx, organizationId, { byModel }))
      })
}

const percentOf = ({ budget }: BudgetRow, spending: readonly Spending[]) =>
  Math.floor((100 * countSpending(budget, spending).spentUsd) / budget.monthlyLimitUsd)

/** The percentage to warn at: 100, the budget's own, or 0 for none. */
function levelOf(row: BudgetRow, spending: readonly Spending[]) {
  const percent = percentOf(row, spending)
  if (percent >= 100) return 100
  return percent >= row.budget.warnAtPercent ? row.budget.warnAtPercent : 0
}

const warnedLevel = ({ budget: { warnedMonth, warnedPercent }, monthStart }: BudgetRow) =>
  warnedMonth !== null && warnedMonth >= monthStart ? (warnedPercent ?? 0) : 0

async function warn(tx: Database, row: BudgetRow, spending: readonly Spending[]) {
  const { budget, monthStart } = row
  const level = levelOf(row, spending)
  // Another server may have warned before the lock.
  if (level <= warnedLevel(row)) return
  await markWarned(tx, budget.id, { warnedMonth: monthStart, warnedPercent: level })
  const { scope, key, label, monthlyLimitUsd, isHard, spentUsd, forecastUsd } = toBudget(row, spending)
  await notify(tx, {
    type: 'budget.spent',
    organizationId: budget.organizationId,
    source: `budget.spent:${budget.id}:${budget.updatedAt}:${monthStart}:${level}`,
    actor: null,
    subject: { type: 'budget', id: budget.id },
    payload: {
      scope,
      label,
      percent: percentOf(row, spending),
      spent_usd: spentUsd,
      limit_usd: monthlyLimitUsd,
      forecast_usd: forecastUsd,
      is_hard: isHard,
    },
    to: { roles: ['admin'], ...(scope === 'person' && { userIds: [key] }) },
  })
}
