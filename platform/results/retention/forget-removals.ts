import { counted } from '#contract/wire/counted.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { giveWay } from '#platform/ground/database/give-way.ts'
import { type Database, isEmbedded } from '#platform/ground/database/open-database.ts'
import { stayOpen } from '#platform/ground/database/stay-open.ts'
import { stampExperiments } from '#platform/inputs/experiments/stamp-experiments.ts'
import { enqueueRuns } from '#platform/analysis/projection/enqueue-label-changes.ts'
import { unlessBusyElsewhere } from '#platform/analysis/projection/one-at-a-time.ts'
import { tablesOf } from './removal-steps.ts'
import {
  findExistingRuns,
  findInAnalytics,
  findOrganizationsInAnalytics,
  forgetRemovedBlobs,
  insertRemovedBlobs,
  lockRemovedBlobs,
  markGone,
} from './store.ts'

const removalsPerBatch = 500

/** On an embedded database everybody waits for the end of a transaction, also while files are deleted in it. */
const blobsPerBatch = (db: Database) => (isEmbedded(db) ? 20 : 200)

type Removing = Pick<Services, 'db' | 'analytics' | 'blobs' | 'wakeProjector'>

/**
 * Removes from the analytics engine what was removed from the database, a batch of each organization in turn. One that another
 * server is writing waits for the next call. Throws after the last organization if one failed.
 */
export async function removeFromAnalytics(services: Removing, isStopping = () => false) {
  const errors: unknown[] = []
  const behind = new Set((await findOrganizationsInAnalytics(services.db)).map(({ organizationId }) => organizationId))
  // An organization that is added again comes last, and is visited once more.
  for (const id of behind) {
    if (isStopping()) break
    behind.delete(id)
    try {
      if (await unlessBusyElsewhere(services, id, () => removeBatch(services, id))) behind.add(id)
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0)
    throw new AggregateError(
      errors,
      `The analytics of ${counted(errors.length, 'organization')} could not be cleaned up`,
    )
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
    await enqueueExisting(tx, organizationId, [...new Set(removals.map(({ runId }) => runId))])
    await markGone(tx, removals)
    await stampExperiments(tx, organizationId, experimentIds)
  })
  services.wakeProjector()
  return true
}

/** Each removal takes the engine a second, whatever it removes. Its statement is limited to 256 kB. */
export const runsPerRemoval = 4000

/**
 * Removes all rows of deleted runs from the analytics engine; those that were imported again meanwhile are written again.
 * The caller holds the lock of writing. Repeating it is safe, also after a kill.
 */
export async function removeRows(
  { db, analytics }: Pick<Services, 'db' | 'analytics'>,
  organizationId: string,
  runIds: readonly string[],
) {
  await analytics.remove(organizationId, tablesOf.runs, runIds)
  await enqueueExisting(db, organizationId, runIds)
}

/** The rows of those of these runs that exist are written again. */
async function enqueueExisting(db: Database, organizationId: string, runIds: readonly string[]) {
  const existing = await findExistingRuns(db, runIds)
  if (existing.length > 0) await enqueueRuns(db, organizationId, existing)
}

/**
 * Notes blobs in the transaction that removes their rows: `deleteRemovedBlobs`, which the cleanup calls every few seconds,
 * deletes them after the commit.
 */
export const noteRemovedBlobs = (tx: Database, keys: readonly string[]) => insertRemovedBlobs(tx, keys)

type Deleting = Pick<Services, 'db' | 'blobs' | 'state'>

/**
 * Deletes blobs without a row. Several servers may do so at once. Throws after the last blob if one failed, which the
 * next call tries again. Does nothing while a backup is being made, because those deletions wait in memory.
 */
export async function deleteRemovedBlobs({ db, blobs, state }: Deleting, isStopping = () => false) {
  const errors: unknown[] = []
  const mayDelete = () => !isStopping() && state?.areDeletesHeld() !== true
  for (let after: string | null = ''; after !== null && mayDelete();) {
    const from: string = after
    const batch = await giveWay(db, () =>
      db.transaction((tx) => deleteBatch(tx, blobs, { after: from, most: blobsPerBatch(db) })),
    )
    errors.push(...batch.errors)
    after = batch.last
  }
  if (errors.length > 0)
    throw new AggregateError(errors, `${counted(errors.length, 'removed blob')} could not be deleted`)
}

/** The locks hold up an import of the same run until its old blobs are gone, so it does not lose the new ones. */
async function deleteBatch(tx: Database, blobs: Services['blobs'], { after, most }: { after: string; most: number }) {
  await stayOpen(tx)
  const found = await lockRemovedBlobs(tx, after, most)
  const gone: string[] = []
  const errors: unknown[] = []
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
  await forgetRemovedBlobs(tx, gone)
  return { last: found.at(-1)?.key ?? null, errors }
}

/** Before blobs are written again under keys that may be waiting for their removal, in a transaction that ends first. */
export const reclaimBlobs = (db: Database, keys: readonly string[]) => forgetRemovedBlobs(db, keys)
