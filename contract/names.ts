import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { Actor, Organization, ShownName } from './identity.ts'
import { Timestamp } from '#contract/wire/query-values.ts'

/** The organization of the request. The slug is part of addresses and never changes. */
export const OrganizationDetails = Organization.omit({ role: true }).extend({ createdAt: Timestamp })
export type OrganizationDetails = z.infer<typeof OrganizationDetails>

const shared = { base: '/admin/v1', errors: ['invalid_argument', 'unauthenticated', 'permission_denied'] } as const
const renaming = z.object({ name: ShownName })

export const getOrganization = endpoint({
  ...shared,
  name: 'organization.get',
  method: 'GET',
  path: '/organization',
  summary: 'Get the name and the slug of the organization',
  response: OrganizationDetails,
})

export const renameOrganization = endpoint({
  ...shared,
  name: 'organization.rename',
  method: 'PATCH',
  path: '/organization',
  summary: 'Change the name of the organization',
  body: renaming,
  response: OrganizationDetails,
})

export const renamePerson = endpoint({
  ...shared,
  name: 'identity.rename',
  method: 'PATCH',
  path: '/me',
  summary: 'Change your display name',
  body: renaming,
  response: Actor,
  errors: [...shared.errors, 'failed_precondition'],
  organizationScoped: false,
})
