import type { Budget } from '#contract/budgets.ts'
import { providerOf } from '#platform/ground/models/providers.ts'
import type { BudgetRow, Spending } from './store.ts'

type Scope = Pick<BudgetRow['budget'], 'scope' | 'key'>

/** What a budget counts of the organization's spending, in US dollars. */
export function countSpending({ scope, key }: Scope, spending: readonly Spending[]) {
  const isCounted = ({ userId, experimentId, model }: Spending) => {
    if (scope === 'organization') return true
    if (scope === 'provider') return model !== null && model !== undefined && providerOf({ id: model }) === key
    return scope === 'person' ? userId === key : experimentId === key
  }
  const counted = spending.filter(isCounted)
  const sumOf = (name: 'month' | 'lastWeek' | 'reserved') => counted.reduce((sum, row) => sum + row[name], 0)
  return { spentUsd: sumOf('month'), lastWeekUsd: sumOf('lastWeek'), reservedUsd: sumOf('reserved') }
}

export function toBudget({ budget, label, daysLeft }: BudgetRow, spending: readonly Spending[]): Budget {
  const { id, scope, key, monthlyLimitUsd, isHard, warnAtPercent, updatedAt } = budget
  const { spentUsd, lastWeekUsd, reservedUsd } = countSpending(budget, spending)
  return {
    id,
    scope,
    key,
    label,
    monthlyLimitUsd,
    isHard,
    warnAtPercent,
    spentUsd,
    reservedUsd,
    forecastUsd: spentUsd + (lastWeekUsd / 7) * daysLeft,
    updatedAt,
  }
}

/** Whether spending must be known by model. */
export const hasProvider = (rows: readonly Pick<BudgetRow, 'budget'>[]) =>
  rows.some(({ budget }) => budget.scope === 'provider')
