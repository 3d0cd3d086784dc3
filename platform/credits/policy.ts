import { can } from '#contract/permissions.ts'
import type { Context } from '#platform/context/context.ts'
import { denied } from '#platform/failures/failure.ts'

export function requireBalanceReader({ organization }: Context) {
  if (!can(organization).readBalance) throw denied('Only admins may read the credit balance')
}

export function requireReloader({ organization }: Context) {
  if (!can(organization).reloadCredits) throw denied('Only admins may top up credit')
}
