import type { Services } from '#platform/context/context.ts'
import type { Database } from '#platform/database/open-database.ts'
import { notify } from '#platform/notifications/notify.ts'
import { type BudgetRow, findBudgetsToWarn, lockBudget, markWarned } from './store.ts'
import { toBudget } from './to-budget.ts'

/**
 * Warns the admins, and the person of a personal budget, of each budget at its own percentage and again at its limit,
 * once a month each. Any number of servers may call it. Resolves to the number of budgets that were looked at.
 */
export async function warnOfBudgets({ db }: Pick<Services, 'db'>): Promise<number> {
  const ids = await findBudgetsToWarn(db)
  for (const id of ids)
    await db.transaction(async (tx) => {
      const row = await lockBudget(tx, id)
      if (row) await warn(tx, row)
    })
  return ids.length
}

async function warn(tx: Database, row: BudgetRow) {
  const { budget, monthStart } = row
  const percent = Math.floor((100 * row.spentUsd) / budget.monthlyLimitUsd)
  const warned = budget.warnedMonth !== null && budget.warnedMonth >= monthStart ? (budget.warnedPercent ?? 0) : 0
  const level = percent >= 100 ? 100 : budget.warnAtPercent
  // Another server may have warned before the lock.
  if (percent < budget.warnAtPercent || warned >= level) return
  await markWarned(tx, budget.id, { warnedMonth: monthStart, warnedPercent: level })
  const { scope, key, label, monthlyLimitUsd, isHard, spentUsd, forecastUsd } = toBudget(row)
  await notify(tx, {
    type: 'budget.spent',
    organizationId: budget.organizationId,
    source: `budget.spent:${budget.id}:${budget.updatedAt}:${monthStart}:${level}`,
    actor: null,
    subject: { type: 'budget', id: budget.id },
    payload: {
      scope,
      label,
      percent,
      spent_usd: spentUsd,
      limit_usd: monthlyLimitUsd,
      forecast_usd: forecastUsd,
      is_hard: isHard,
    },
    to: { roles: ['admin'], ...(scope === 'person' && { userIds: [key] }) },
  })
}
