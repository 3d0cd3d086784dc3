import { can } from '#contract/permissions.ts'
import type { Context } from '#platform/context/context.ts'
import { denied } from '#platform/failures/failure.ts'

/** Members use secrets in their experiments and see their names; only admins change them. */
export function requireSecretManager({ organization }: Context) {
  if (!can(organization).manageSecrets) throw denied('Only admins of the organization may change its secrets')
}
