import { runsPerTransaction } from '#platform/ground/database/runs-per-transaction.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { giveWay } from '#platform/ground/database/give-way.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { oneAtATime } from '#platform/analysis/projection/one-at-a-time.ts'
import { removeVersion } from '#platform/inputs/experiments/remove-version.ts'
import { stampExperiments } from '#platform/inputs/experiments/stamp-experiments.ts'
import { deleteEmptyRequests, deleteRuns } from '#platform/queue/run-queue/delete-requests.ts'
import { noteRemovedBlobs, removeRows, runsPerRemoval } from '#platform/results/retention/forget-removals.ts'
import { discardFiles } from './discard-import.ts'
import type { HeldImport } from './held-import.ts'
import { findNextRuns, findRemovedRuns, forgetRuns, markRemoved, updateImport } from './store.ts'

const runsPerStatement = 500

/**
 * Removes the runs that the import made, also from the analytics, then its version and its experiment if nothing else uses
 * them. Each batch is one transaction, so an undo that was killed continues.
 */
export async function undoRuns(services: Services, held: HeldImport) {
  const { row } = held
  let done = row.done
  for (
    let count = await removeBatch(services, held, done);
    count > 0;
    count = await removeBatch(services, held, done)
  ) {
    done += count
    if (held.signal.aborted) return
  }
  await removeFromAnalytics(services, held)
  await services.db.transaction(async (tx) => {
    await held.lock(tx)
    const key = { organizationId: row.organizationId, experimentId: row.experimentId ?? '' }
    let gone: Awaited<ReturnType<typeof removeVersion>> = 'nothing'
    for (const fingerprint of row.madeVersions.toReversed()) gone = await removeVersion(tx, { ...key, fingerprint })
    if (gone !== 'experiment') await stampExperiments(tx, row.organizationId, [key.experimentId])
    await discardFiles(tx, row.id)
    await updateImport(tx, row.id, {
      state: 'undone',
      endedAt: await clockNow(tx),
      result: {
        ...(row.result ?? { imported: done, alreadyImported: 0, leftOut: [] }),
        ...(row.isNew &&
          gone !== 'experiment' && {
            note: 'The experiment is still there, because it has other runs, versions or work of people.',
          }),
      },
    })
  })
}

const removeBatch = (services: Services, { row, lock }: HeldImport, done: number) =>
  giveWay(services.db, () =>
    services.db.transaction(async (tx) => {
      await lock(tx)
      const found = await findNextRuns(tx, row.id, runsPerTransaction)
      if (found.length === 0) return 0
      const runIds = found.map(({ runId }) => runId)
      await noteRemovedBlobs(tx, await deleteRuns(tx, runIds))
      await deleteEmptyRequests(tx, [...new Set(found.flatMap(({ requestId }) => requestId ?? []))])
      await markRemoved(tx, row.id, runIds)
      if (row.experimentId !== null) await stampExperiments(tx, row.organizationId, [row.experimentId])
      await updateImport(tx, row.id, { done: done + found.length })
      return found.length
    }),
  )

async function removeFromAnalytics(services: Services, { row }: HeldImport) {
  for (;;) {
    const removed = await findRemovedRuns(services.db, row.id, runsPerRemoval)
    if (removed.length === 0) return
    const runIds = removed.map(({ runId }) => runId)
    await oneAtATime(services, row.organizationId, () => removeRows(services, row.organizationId, runIds))
    for (let start = 0; start < runIds.length; start += runsPerStatement)
      await forgetRuns(services.db, row.id, runIds.slice(start, start + runsPerStatement))
  }
}
