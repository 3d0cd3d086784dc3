import {
  type BulkAction,
  confirmationOf,
  type startBulkAction as startEndpoint,
  type stopBulkAction as stopEndpoint,
} from '#contract/bulk-actions.ts'
import type { VerbInput } from '#contract/endpoint.ts'
import { can } from '#contract/permissions.ts'
import { audited } from '#platform/people/audit/audited.ts'
import { requireBudgets } from '#platform/inputs/budgets/require-budget.ts'
import { owns } from '#platform/ground/context/caller.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { requireCredit } from '#platform/inputs/credits/reserve-credit.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { denied, invalid, notFound, preconditionFailed } from '#platform/ground/failures/failure.ts'
import { requireAllowed } from './policy.ts'
import { type BulkActionRow, lockAction, updateAction } from './store.ts'
import { requireAction, showAction } from './to-bulk-action.ts'

/**
 * POST /bulk-actions/{id}/start: only for the person who proposed it. Repeating the call is safe. Errors: `not_found`,
 * `permission_denied`, `failed_precondition` if it would touch nothing, `invalid_argument` without the typed
 * confirmation of a deletion, `resource_exhausted` if the credit or a hard budget does not cover the runs.
 */
export async function startAction(context: Context, { actionId, confirmation }: VerbInput<typeof startEndpoint>) {
  return audited(context, async (tx, record): Promise<BulkAction> => {
    const action = await requireLocked(context, tx, actionId)
    if (!owns(context.caller, action.createdBy)) throw notFound('There is no such bulk action of yours')
    const shown = await showAction({ ...context, db: tx }, actionId)
    if (action.state === 'running' || action.state === 'done') return shown
    requireAllowed(context, action.kind)
    if (action.kind === 'export') throw preconditionFailed('An export has nothing to start: download it')
    if (shown.progress.pending === 0) throw preconditionFailed('No run would be touched')
    if (action.kind === 'delete') {
      const expected = confirmationOf(shown)
      if (confirmation?.trim().toLowerCase() !== expected) {
        const problem = `must be “${expected}”`
        throw invalid(`\`confirmation\` ${problem}`, [{ path: 'confirmation', message: problem }])
      }
      record({
        event: 'run.delete',
        organizationId: context.organization.id,
        subject: action.id,
        details: { importedRuns: shown.progress.pending },
      })
    }
    if (action.state === 'proposed') await requireMoney(context, tx, action, shown.touched)
    const startedAt = action.startedAt ?? (await clockNow(tx))
    await updateAction(tx, action.id, { state: 'running', stateReason: null, startedAt, endedAt: null, faults: 0 })
    return showAction({ ...context, db: tx }, actionId)
  })
}

/** It holds nothing, so each request of runs again can still be refused. Budgets are locked first, as by a submit. */
async function requireMoney(context: Context, tx: Database, { plan }: BulkActionRow, touched: number) {
  const charged = (plan.charged ?? []).map((each) => ({ ...each, micros: BigInt(each.micros) }))
  if (charged.length > 0) await requireBudgets(context, tx, charged)
  const total = BigInt(plan.heldMicros ?? 0)
  if (total > 0n) await requireCredit(context, tx, { total, runCount: touched })
}

/**
 * POST /bulk-actions/{id}/stop: for the person who started it, and for admins. Errors: `not_found`, `permission_denied`,
 * `failed_precondition` for a proposal.
 */
export async function stopAction(context: Context, { actionId }: VerbInput<typeof stopEndpoint>): Promise<BulkAction> {
  return context.db.transaction(async (tx) => {
    const action = await requireLocked(context, tx, actionId)
    const isOwn = owns(context.caller, action.createdBy)
    if (action.state === 'proposed')
      throw isOwn ? preconditionFailed('The action was not started') : notFound('There is no such bulk action')
    if (!isOwn && !can(context.organization).manageOrganization)
      throw denied('Only the person who started it and admins can stop a bulk action')
    if (action.state === 'running')
      await updateAction(tx, action.id, {
        state: 'stopped',
        stateReason: `Stopped by ${context.caller.actor.name}`,
        endedAt: await clockNow(tx),
      })
    return showAction({ ...context, db: tx }, actionId)
  })
}

/** Waits for the batch that is in progress. */
async function requireLocked(context: Context, tx: Database, id: string): Promise<BulkActionRow> {
  const { action } = await requireAction({ ...context, db: tx }, id)
  const [locked] = await lockAction(tx, action.id)
  if (!locked) throw notFound('There is no such bulk action')
  return locked
}
