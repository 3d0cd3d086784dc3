import type { WhoAmI } from '#contract/identity.ts'
import { can } from '#contract/permissions.ts'
import { currentOrganizationId } from './organization.ts'

/** What the caller may do in the organization the page is about. */
export function permissionsOf({ organizations }: WhoAmI) {
  const current = organizations.find(({ id }) => id === currentOrganizationId())
  return can(current ?? { role: 'member' })
}
