import { deleteBudget, listBudgets, putBudget } from '#contract/budgets.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { call } from './call.ts'
import { endpointOptions, refresherOf } from './query-client.ts'

/** For admins. */
export const budgetListOptions = () => endpointOptions(listBudgets, {})

const thenRefresh = refresherOf(['budgets'])

export const saveBudget = (body: CallInput<typeof putBudget>) => thenRefresh(call(putBudget, body))

export const removeBudget = (budgetId: string) => thenRefresh(call(deleteBudget, { budgetId }))
