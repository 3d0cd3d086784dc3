import { can } from '#contract/permissions.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { denied } from '#platform/ground/failures/failure.ts'

/** Members read Context and suggest changes; only admins change it. Errors: `permission_denied`. */
export function requireContextManager({ organization }: Context) {
  if (!can(organization).manageContext)
    throw denied('Only admins of the organization can change its Context and decide suggestions')
}
