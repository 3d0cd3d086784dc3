import type { Budget } from '#contract/budgets.ts'
import type { BudgetRow } from './store.ts'

export function toBudget({ budget, label, spentUsd, reservedUsd, ...row }: BudgetRow): Budget {
  const { id, scope, key, monthlyLimitUsd, isHard, warnAtPercent, updatedAt } = budget
  const forecastUsd = spentUsd + (row.spentLastWeekUsd / 7) * row.daysLeft
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
    forecastUsd,
    updatedAt,
  }
}
