import { can } from '#contract/permissions.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { denied } from '#platform/ground/failures/failure.ts'

/** Throws `permission_denied` for members. */
export function requireBalanceReader({ organization }: Context) {
  if (!can(organization).readBalance) throw denied('Only admins may read the credit balance')
}

/** Throws `permission_denied` for members. */
export function requireReloader({ organization }: Context) {
  if (!can(organization).reloadCredits) throw denied('Only admins may top up credit')
}
