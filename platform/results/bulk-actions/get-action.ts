import type { BulkAction, getBulkAction as endpoint } from '#contract/bulk-actions.ts'
import type { VerbInput } from '#contract/endpoint.ts'
import { can } from '#contract/permissions.ts'
import { owns } from '#platform/ground/context/caller.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { readSpendable } from '#platform/inputs/credits/read-spendable.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import { requireAction, showAction } from './to-bulk-action.ts'

/** GET /bulk-actions/{id}: a proposal is only for the person who made it. Errors: `not_found`. */
export async function getAction(context: Context, { actionId }: VerbInput<typeof endpoint>): Promise<BulkAction> {
  const { action } = await requireAction(context, actionId)
  if (action.state === 'proposed' && !owns(context.caller, action.createdBy))
    throw notFound('There is no such bulk action. A proposal lasts for a day')
  return withBalance(context, await showAction(context, actionId))
}

/** Admins also see the credit that is available. */
export async function withBalance(context: Context, action: BulkAction): Promise<BulkAction> {
  if (action.state !== 'proposed' || !action.cost || !can(context.organization).readBalance) return action
  return { ...action, cost: { ...action.cost, availableMicros: String(await readSpendable(context)) } }
}
