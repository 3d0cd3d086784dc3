import { counted } from '#contract/wire/counted.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { unlessBusy } from '#platform/analysis/projection/one-at-a-time.ts'
import { removeRows, runsPerRemoval } from '#platform/results/retention/forget-removals.ts'
import { findDeletedRuns, findUnprojected, updateAction } from './store.ts'

/**
 * Removes from the analytics what bulk actions deleted. An organization that somebody else is writing is left for the next
 * call. Throws after the last organization if any failed; those stay behind.
 */
export async function projectRemovals(services: Services) {
  const errors: unknown[] = []
  const behind = await findUnprojected(services.db)
  for (const organizationId of new Set(behind.map((action) => action.organizationId)))
    await unlessBusy(services, organizationId, () => removeDeleted(services, organizationId)).catch((error: unknown) =>
      errors.push(error),
    )
  if (errors.length > 0)
    throw new AggregateError(
      errors,
      `The analytics of ${counted(errors.length, 'organization')} still have deleted runs`,
    )
}

/**
 * Another server may have done so before the lock. A later deletion has a higher number than those read here. The lock is
 * that of writing, so no projector adds a row of a run that it read before the deletion.
 */
async function removeDeleted(services: Services, organizationId: string) {
  const { db } = services
  for (const { id, removals, ...action } of await findUnprojected(db)) {
    if (action.organizationId !== organizationId) continue
    for (let last = -1; ;) {
      const deleted = await findDeletedRuns(db, id, { after: last, limit: runsPerRemoval })
      if (deleted.length === 0) break
      await removeRows(
        services,
        organizationId,
        deleted.map(({ runId }) => runId),
      )
      last = deleted.at(-1)?.seq ?? last
    }
    await updateAction(db, id, { removalsProjected: removals })
  }
  services.wakeProjector()
}
