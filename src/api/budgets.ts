import { deleteBudget, listBudgets, putBudget } from '#contract/budgets.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { call } from './call.ts'
import { endpointOptions, queryClient } from './query-client.ts'

/** For admins. */
export const budgetListOptions = () => endpointOptions(listBudgets, {})

const refresh = () => queryClient.invalidateQueries({ queryKey: ['budgets'] })

export async function saveBudget(body: CallInput<typeof putBudget>) {
  const saved = await call(putBudget, body)
  await refresh()
  return saved
}

export async function removeBudget(budgetId: string) {
  await call(deleteBudget, { budgetId })
  await refresh()
}
