import * as contract from '#contract/names.ts'
import { serve, serveCaller } from '#platform/ground/routes/serve.ts'
import { requireOrganizationAdmin, requireProvenPerson } from '#platform/ground/context/require-role.ts'
import { getOrganization, renameOrganization, renamePerson } from './change-names.ts'

export const nameRoutes = [
  serve(contract.getOrganization, getOrganization),
  serve(contract.renameOrganization, renameOrganization, requireOrganizationAdmin),
  serveCaller(contract.renamePerson, renamePerson, requireProvenPerson),
]
