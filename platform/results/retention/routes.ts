import * as contract from '#contract/retention.ts'
import { serve } from '#platform/ground/routes/serve.ts'
import { requireOrganizationAdmin } from '#platform/ground/context/require-role.ts'
import { getRetention, setRetention } from './manage-retention.ts'
import { previewRetention } from './preview-retention.ts'

export const retentionRoutes = [
  serve(contract.getRetention, getRetention),
  serve(contract.putRetention, setRetention, requireOrganizationAdmin),
  serve(contract.previewRetention, previewRetention, requireOrganizationAdmin),
]
