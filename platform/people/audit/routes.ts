import * as contract from '#contract/audit.ts'
import { serve } from '#platform/ground/routes/serve.ts'
import { requireOrganizationAdmin } from '#platform/ground/context/require-role.ts'
import { exportTrail } from './export-trail.ts'
import { listTrail } from './list-trail.ts'

export const auditRoutes = [
  serve(contract.listAuditEvents, listTrail, requireOrganizationAdmin),
  serve(contract.exportAuditEvents, exportTrail, requireOrganizationAdmin),
]
