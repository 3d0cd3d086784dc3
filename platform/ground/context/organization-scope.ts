import type { Organization } from '#contract/identity.ts'
import type { Caller } from './caller.ts'
import { denied, invalid } from '#platform/ground/failures/failure.ts'

/**
 * The organization of a request: `org_id`, or the only one that the key has access to.
 * Errors: `permission_denied`, the same whether the organization exists or not; `invalid_argument` without an `org_id`
 * when the key has several.
 */
export function chooseOrganization(caller: Caller, organizationId: unknown): Organization {
  if (organizationId !== undefined) {
    const wanted = String(organizationId).toLowerCase()
    const organization = caller.organizations.find(({ id }) => id === wanted)
    if (!organization) throw denied('This API key has no access to this organization')
    return organization
  }
  const [only, ...others] = caller.organizations
  if (!only) throw denied('This API key has no access to any organization')
  if (others.length > 0) throw invalid('`org_id` is required, because this API key has access to several organizations')
  return only
}
