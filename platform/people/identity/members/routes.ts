import * as contract from '#contract/members.ts'
import { serve } from '#platform/ground/routes/serve.ts'
import { requireOrganizationAdmin, requirePerson } from '#platform/ground/context/require-role.ts'
import { changeRole, endMembership, leaveOrganization } from './change-membership.ts'
import { listOrganizationMembers } from './list-organization-members.ts'

export const memberRoutes = [
  serve(contract.listMembers, listOrganizationMembers),
  serve(contract.changeMemberRole, changeRole, requireOrganizationAdmin),
  serve(contract.removeMember, endMembership, requireOrganizationAdmin),
  serve(contract.leaveOrganization, leaveOrganization, requirePerson),
]
