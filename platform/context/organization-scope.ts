import type { Organization } from '#contract/identity.ts'
import type { Caller } from './context.ts'
import { denied, invalid } from '#platform/failures/failure.ts'

/**
 * The organization of a call: `org_id`, or the only organization that the key has access to.
 * The refusal is the same whether the organization exists or not.
 */
export function chooseOrganization(caller: Caller, organizationId: unknown): Organization {
  if (organizationId !== undefined) {
    const wanted = String(organizationId).toLowerCase()
    const organization = caller.organizations.find(({ id }) => id === wanted)
    if (!organization) throw denied('This API key cannot see that organization')
    return organization
  }
  const [only, ...others] = caller.organizations
  if (!only) throw denied('This API key can see no organization')
  if (others.length > 0) throw invalid('`org_id` is required: this API key can see several organizations')
  return only
}
