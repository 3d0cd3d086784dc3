import type { Services } from '#platform/ground/context/context.ts'
import { unlessBusyElsewhere } from '#platform/analysis/projection/one-at-a-time.ts'
import { writeAnew } from '#platform/analysis/projection/reindex.ts'
import { findUnprojected, updateAction } from './store.ts'

/**
 * Reindexes, one after another, every organization whose analytics still have runs that bulk actions deleted. One that
 * another server is writing is left for the next call. Throws after the last one if any failed; those stay behind.
 */
export async function projectRemovals(services: Services) {
  const errors: unknown[] = []
  const behind = await findUnprojected(services.db)
  for (const organizationId of new Set(behind.map((action) => action.organizationId)))
    await unlessBusyElsewhere(services, organizationId, () => projectAlone(services, organizationId)).catch(
      (error: unknown) => errors.push(error),
    )
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} organizations could not be reindexed`)
}

/** Another server may have reindexed it before the lock. A later deletion has a higher number than those read here. */
async function projectAlone(services: Services, organizationId: string) {
  const all = await findUnprojected(services.db)
  const behind = all.filter((action) => action.organizationId === organizationId)
  if (behind.length === 0) return
  await writeAnew(services, organizationId)
  await services.db.transaction(async (tx) => {
    for (const { id, removals } of behind) await updateAction(tx, id, { removalsProjected: removals })
  })
}
