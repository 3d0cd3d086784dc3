import * as contract from '#contract/budgets.ts'
import { serve } from '#platform/ground/routes/serve.ts'
import { requireOrganizationAdmin } from '#platform/ground/context/require-role.ts'
import { deleteBudget, listBudgets, setBudget } from './manage-budgets.ts'

export const budgetRoutes = [
  serve(contract.listBudgets, listBudgets, requireOrganizationAdmin),
  serve(contract.putBudget, setBudget, requireOrganizationAdmin),
  serve(contract.deleteBudget, deleteBudget, requireOrganizationAdmin),
]
