import { can } from '#contract/permissions.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { denied } from '#platform/ground/failures/failure.ts'

/**
 * Members can use secrets in experiments and see their names; only admins can change them. Errors: `permission_denied`.
 */
export function requireSecretManager({ organization }: Context) {
  if (!can(organization).manageSecrets) throw denied('Only admins of the organization can change its secrets')
}
