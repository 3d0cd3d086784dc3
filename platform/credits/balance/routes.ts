import * as contract from '#contract/credits.ts'
import { serve } from '#platform/context/serve.ts'
import { getBalance } from './get-balance.ts'
import { getSpend } from './get-spend.ts'
import { requireBalanceReader, requireReloader } from './policy.ts'
import { reloadCredits } from '#platform/credits/payments/reload-credits.ts'

export const creditRoutes = [
  serve(contract.getBalance, getBalance, requireBalanceReader),
  serve(contract.getSpend, getSpend),
  serve(contract.reloadCredits, reloadCredits, requireReloader),
]
