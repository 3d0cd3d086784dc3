import type { Budget } from '#contract/budgets.ts'

/** A person who has left, or an experiment that is gone, has only its id. */
export const budgetName = ({ scope, label, key }: Pick<Budget, 'scope' | 'label' | 'key'>) =>
  scope === 'organization' ? 'the organization' : label || key
