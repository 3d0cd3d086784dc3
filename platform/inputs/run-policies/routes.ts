import * as contract from '#contract/run-policy.ts'
import { serve } from '#platform/ground/routes/serve.ts'
import { requireOrganizationAdmin } from '#platform/ground/context/require-role.ts'
import { getRunPolicy, setRunPolicy } from './manage-run-policy.ts'

export const runPolicyRoutes = [
  serve(contract.getRunPolicy, getRunPolicy),
  serve(contract.putRunPolicy, setRunPolicy, requireOrganizationAdmin),
]
