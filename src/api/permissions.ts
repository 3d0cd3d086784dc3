import type { WhoAmI } from '#contract/identity.ts'
import { can } from '#contract/permissions.ts'
import { currentOrganizationId } from './organization.ts'

/** The caller's permissions in the page's organization. */
export function permissionsOf({ organizations }: WhoAmI) {
  const current = organizations.find(({ id }) => id === currentOrganizationId())
  return can(current ?? { role: 'member' })
}
