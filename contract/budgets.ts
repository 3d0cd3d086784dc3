import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { Timestamp } from '#contract/wire/query-values.ts'

/**
 * Whose runs a budget counts: all of the organization, those that one person submits, those of one experiment, or those
 * with models of one provider.
 */
export const BudgetScope = z.enum(['organization', 'person', 'experiment', 'provider'])
export type BudgetScope = z.infer<typeof BudgetScope>

const dollars = z.number().min(0)

/**
 * What runs may cost in a calendar month (UTC). It counts model calls and compute, paid by the platform's keys or by
 * your own. All amounts are US dollars.
 */
export const Budget = z.object({
  id: z.uuid(),
  scope: BudgetScope,
  /** The id of the person or the experiment, or the name of the provider; '' for the organization. */
  key: z.string(),
  label: z.string(),
  monthlyLimitUsd: dollars,
  /** A hard budget refuses new runs that it does not cover; a soft one only warns. */
  isHard: z.boolean(),
  /** Admins are warned once this share of the limit is spent, and again at the limit. */
  warnAtPercent: z.int(),
  spentUsd: dollars,
  /** Reserved for runs that have not ended. */
  reservedUsd: dollars,
  /** What the month will have cost if spending continues as in the last seven days. */
  forecastUsd: dollars,
  updatedAt: Timestamp,
})
export type Budget = z.infer<typeof Budget>

export const BudgetList = z.object({ budgets: z.array(Budget), monthEndsAt: Timestamp })
export type BudgetList = z.infer<typeof BudgetList>

const shared = { base: '/admin/v1', errors: ['invalid_argument', 'unauthenticated', 'permission_denied'] } as const

export const listBudgets = endpoint({
  ...shared,
  name: 'budgets.list',
  method: 'GET',
  path: '/budgets',
  summary: 'List the budgets with what is spent this month',
  response: BudgetList,
})

export const putBudget = endpoint({
  ...shared,
  name: 'budgets.put',
  method: 'PUT',
  path: '/budgets',
  summary: 'Set the budget of the organization, a person, an experiment or a provider',
  body: z.object({
    scope: BudgetScope,
    key: z.string().max(200).default(''),
    monthlyLimitUsd: z.number().positive('must be more than 0').max(10_000_000),
    isHard: z.boolean().default(false),
    warnAtPercent: z.int().min(1).max(100).default(80),
  }),
  response: Budget,
  errors: [...shared.errors, 'not_found', 'resource_exhausted'],
})

export const deleteBudget = endpoint({
  ...shared,
  name: 'budgets.delete',
  method: 'DELETE',
  path: '/budgets/:budgetId',
  summary: 'Delete a budget',
  response: z.undefined(),
  status: 204,
  errors: [...shared.errors, 'not_found'],
})

export const budgetEndpoints = [listBudgets, putBudget, deleteBudget] as const
