import * as contract from '#contract/usage.ts'
import { serve } from '#platform/ground/context/serve.ts'
import { getUsage } from './get-usage.ts'

export const usageRoutes = [serve(contract.getUsage, getUsage)]
