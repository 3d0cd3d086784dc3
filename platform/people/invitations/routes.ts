import * as contract from '#contract/invitations.ts'
import { serve, serveCaller, serveKeyless } from '#platform/ground/routes/serve.ts'
import { requireOrganizationAdmin, requirePerson } from '#platform/ground/context/require-role.ts'
import { acceptInvitation, joinWithNewKey, requireInvitation, showInvitation } from './join.ts'
import { createInvitation, listInvitations, revokeInvitation } from './manage-invitations.ts'

export const invitationRoutes = [
  serve(contract.listInvitations, listInvitations, requireOrganizationAdmin),
  serve(contract.createInvitation, createInvitation, requireOrganizationAdmin),
  serve(contract.revokeInvitation, revokeInvitation, requireOrganizationAdmin),
  serveCaller(contract.acceptInvitation, acceptInvitation, requirePerson),
  serveKeyless(contract.showInvitation, showInvitation),
  serveKeyless(contract.joinWithNewKey, joinWithNewKey, requireInvitation),
]
