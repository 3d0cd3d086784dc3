import type { Services } from '#platform/context/context.ts'
import { stampExperiments } from '#platform/experiments/stamp-experiments.ts'
import { enqueueRuns } from '#platform/projection/enqueue-label-changes.ts'
import { unlessBusyElsewhere } from '#platform/projection/one-at-a-time.ts'
import { tablesOf } from './removal-steps.ts'
import {
  findExistingRuns,
  findInAnalytics,
  findOrganizationsInAnalytics,
  findRemovedBlobs,
  forgetRemovedBlobs,
  markGone,
} from './store.ts'

const removalsPerBatch = 500
const blobsPerBatch = 200

type Removing = Pick<Services, 'db' | 'analytics' | 'blobs' | 'wakeProjector'>

/**
 * Removes from the analytics engine what was removed from the database. An organization that another server is writing
 * waits for the next call. Throws after the last organization if one failed.
 */
export async function removeFromAnalytics(services: Removing, isStopping = () => false) {
  const errors: unknown[] = []
  for (const { organizationId } of await findOrganizationsInAnalytics(services.db)) {
    try {
      while (
        !isStopping() &&
        (await unlessBusyElsewhere(services, organizationId, () => removeBatch(services, organizationId)))
      );
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} organizations still have removed rows`)
}

/** The caller holds the lock of writing, so no projector sends the rows again meanwhile. */
async function removeBatch(services: Removing, organizationId: string): Promise<boolean> {
  const { db, analytics } = services
  const removals = await findInAnalytics(db, organizationId, removalsPerBatch)
  if (removals.length === 0) return false
  for (const [kind, ofKind] of Map.groupBy(removals, (removal) => removal.kind)) {
    const ids = ofKind.map(({ runId }) => runId)
    await analytics.remove(organizationId, tablesOf[kind], ids)
  }
  const experimentIds = [...new Set(removals.map(({ experimentId }) => experimentId))]
  await db.transaction(async (tx) => {
    // What is left of a run is written again: its failures, without the words that were removed.
    const again = await findExistingRuns(tx, [...new Set(removals.map(({ runId }) => runId))])
    if (again.length > 0) await enqueueRuns(tx, organizationId, again)
    await markGone(tx, removals)
    await stampExperiments(tx, organizationId, experimentIds)
  })
  services.wakeProjector()
  return true
}

/**
 * Deletes blobs without a row. Several servers may do so at once. Throws after the last blob if one failed, which the
 * next call tries again.
 */
export async function deleteRemovedBlobs({ db, blobs }: Pick<Services, 'db' | 'blobs'>, isStopping = () => false) {
  const errors: unknown[] = []
  for (let after = ''; !isStopping();) {
    const found = await findRemovedBlobs(db, after, blobsPerBatch)
    const last = found.at(-1)
    if (!last) break
    const gone: string[] = []
    await Promise.all(
      found.map(async ({ key, isUsed }) => {
        try {
          if (!isUsed) await blobs.delete(key)
          gone.push(key)
        } catch (error) {
          errors.push(error)
        }
      }),
    )
    await forgetRemovedBlobs(db, gone)
    after = last.key
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} removed blobs could not be deleted`)
}
