import type { Services } from '#platform/ground/context/context.ts'
import { giveWay } from '#platform/ground/database/give-way.ts'
import { repeat } from '#platform/ground/loops/repeat.ts'
import { performBatch } from './perform-batch.ts'
import { projectRemovals } from './project-removals.ts'
import { deleteOutdated } from './store.ts'

const pauses = { firstMs: 0, everyMs: 1000, afterFaultMs: 10_000 }

/**
 * Performs bulk actions, one batch after another, while the platform runs, and beside it brings the analytics up to date
 * with what they deleted, which no action waits for. Any number of servers may do so. Returns a stop function, which resolves
 * after the current batch and removal.
 */
export function startBulkActionWorker(services: Services) {
  const loops = [
    {
      run: () => giveWay(services.db, () => performBatch(services)),
      fault: 'A batch of a bulk action could not be performed',
    },
    { run: () => projectRemovals(services), fault: 'Deleted runs could not be removed from the analytics' },
  ].map((work) => repeat({ ...pauses, works: [work] }))
  return async () => {
    await Promise.all(loops.map(({ stop }) => stop()))
  }
}

/** Returns whether there may be more. */
export const deleteOldActions = async ({ db }: Pick<Services, 'db'>) => (await deleteOutdated(db)) > 0
