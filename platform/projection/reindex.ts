import { type ProjectionServices, projectBatches } from './project-runs.ts'
import { oneAtATime, unlessBusyElsewhere } from './one-at-a-time.ts'
import { countOutboxRows, enqueueFinishedRuns } from './store.ts'

type Progress = (projected: number, total: number) => void

/**
 * Empties an organization's engine and fills it again from the state database; gives how many runs it took in.
 * Every finished run is in the outbox before the engine is emptied, and no projector takes one out meanwhile: killed at any
 * point, the next projector finishes the work.
 */
export const reindex = (
  services: ProjectionServices,
  organizationId: string,
  onProgress: Progress = () => {},
): Promise<number> => oneAtATime(services, organizationId, () => writeAnew(services, organizationId, onProgress))

async function writeAnew(services: ProjectionServices, organizationId: string, onProgress: Progress) {
  await enqueueFinishedRuns(services.db, organizationId)
  await services.analytics.clear(organizationId)
  const total = await countOutboxRows(services.db, organizationId)
  onProgress(0, total)
  return projectBatches(services, organizationId, (projected) => onProgress(projected, total))
}

/**
 * Reindexes every organization whose rows an older schema wrote, one after another; killed at any point, the next start
 * goes on. `onError` hears of those that failed, which stay outdated, as do those that another server is writing. Gives
 * whether none is left.
 */
export async function reindexOutdated(services: ProjectionServices, onError: (error: unknown) => void) {
  for (const organizationId of await services.analytics.findOutdated())
    await unlessBusyElsewhere(services, organizationId, async () => {
      // Where servers share an engine, another may have done it meanwhile.
      const stillOutdated = await services.analytics.findOutdated()
      if (stillOutdated.includes(organizationId)) await writeAnew(services, organizationId, () => {})
    }).catch(onError)
  return (await services.analytics.findOutdated()).length === 0
}
