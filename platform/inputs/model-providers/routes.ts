import * as contract from '#contract/model-providers.ts'
import { serve } from '#platform/ground/routes/serve.ts'
import { requireOrganizationAdmin } from '#platform/ground/context/require-role.ts'
import { getModelProviders } from './get-model-providers.ts'

export const modelProviderRoutes = [serve(contract.getModelProviders, getModelProviders, requireOrganizationAdmin)]
