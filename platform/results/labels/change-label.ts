import type { VerbInput } from '#contract/endpoint.ts'
import type { changeLabel as changeEndpoint, deleteLabel as deleteEndpoint, Label } from '#contract/labels.ts'
import { audited } from '#platform/people/audit/audited.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { denied, preconditionFailed } from '#platform/ground/failures/failure.ts'
import { giveGrace } from '#platform/results/retention/graces/give-grace.ts'
import { requireLabel, requireLockedRun } from './require-run.ts'
import { settleLabels } from './settle-labels.ts'
import { removeLabel, updateText } from './store.ts'
import { isOwn, toLabel } from './to-label.ts'

/** PATCH /runs/{id}/labels/{labelId}. Errors: `not_found`, `permission_denied`, `failed_precondition` for a tag. */
export async function changeLabel(
  context: Context,
  { id, labelId, text }: VerbInput<typeof changeEndpoint>,
): Promise<Label> {
  const label = await context.db.transaction(async (tx) => {
    const run = await requireLockedRun(context, tx, id)
    const row = await requireLabel(tx, run.id, labelId)
    if (!isOwn(context, row)) throw denied(`Only ${row.creator.name} can change this label`)
    if (row.label.kind === 'tag') throw preconditionFailed('A tag cannot be edited. Delete it and add another one')
    if (row.label.text === text) return row
    await updateText(tx, labelId, { text, updatedAt: await clockNow(tx) })
    await settleLabels(tx, run)
    return requireLabel(tx, run.id, labelId)
  })
  context.wakeProjector()
  return toLabel(context, label)
}

/** DELETE /runs/{id}/labels/{labelId}: one's own, and for admins every label. Errors: `not_found`, `permission_denied`. */
export async function deleteLabel(
  context: Context,
  { id, labelId }: VerbInput<typeof deleteEndpoint>,
): Promise<undefined> {
  await audited(context, async (tx, record) => {
    const run = await requireLockedRun(context, tx, id)
    const row = await requireLabel(tx, run.id, labelId)
    if (!toLabel(context, row).canDelete) throw denied(`Only ${row.creator.name} or an admin can delete this label`)
    await removeLabel(tx, labelId)
    await settleLabels(tx, run)
    await giveGrace(tx, { organizationId: run.organizationId, runId: run.compositeId })
    if (isOwn(context, row)) return
    const { kind, createdBy } = row.label
    const details = { runId: run.compositeId, kind, createdBy }
    record({ event: 'label.delete', organizationId: run.organizationId, subject: row.creator.email, details })
  })
  context.wakeProjector()
  return undefined
}
