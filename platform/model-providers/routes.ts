import * as contract from '#contract/model-providers.ts'
import { serve } from '#platform/context/serve.ts'
import { requireOrganizationAdmin } from '#platform/identity/policy.ts'
import { getModelProviders } from './get-model-providers.ts'

export const modelProviderRoutes = [serve(contract.getModelProviders, getModelProviders, requireOrganizationAdmin)]
