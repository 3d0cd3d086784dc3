import * as contract from '#contract/api-keys.ts'
import { serve, serveKeyless } from '#platform/ground/routes/serve.ts'
import { requireOrganizationAdmin, requirePerson } from '#platform/ground/context/require-role.ts'
import { approveKey, createOrganizationKey, createOwnKey } from './create-api-key.ts'
import { listOrganizationKeys, listOwnKeys } from './list-api-keys.ts'
import { revokeAnyKey, revokeOwnKey } from './revoke-api-key.ts'
import { showApproval } from './show-approval.ts'
import { rotateOrganizationKey, rotateOwnKey } from './rotate-api-key.ts'

export const apiKeyRoutes = [
  serve(contract.listOwnKeys, listOwnKeys, requirePerson),
  serve(contract.createOwnKey, createOwnKey, requirePerson),
  serve(contract.approveKey, approveKey, requirePerson),
  serveKeyless(contract.showApproval, showApproval),
  serve(contract.rotateOwnKey, rotateOwnKey, requirePerson),
  serve(contract.revokeOwnKey, revokeOwnKey, requirePerson),
  serve(contract.listKeys, listOrganizationKeys, requireOrganizationAdmin),
  serve(contract.createOrganizationKey, createOrganizationKey, requireOrganizationAdmin),
  serve(contract.rotateOrganizationKey, rotateOrganizationKey, requireOrganizationAdmin),
  serve(contract.revokeKey, revokeAnyKey, requireOrganizationAdmin),
]
