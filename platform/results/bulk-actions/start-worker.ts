import type { Services } from '#platform/ground/context/context.ts'
import { giveWay } from '#platform/ground/database/give-way.ts'
import { performBatch } from './perform-batch.ts'
import { projectRemovals } from './project-removals.ts'
import { deleteOutdated } from './store.ts'

const pollMs = 1000
const afterFaultMs = 10_000

/**
 * Performs bulk actions, one batch after another, while the platform runs, and beside it brings the analytics up to date
 * with what they deleted: a reindex can take minutes, and no action waits for it. Any number of servers may do so.
 * Returns a stop function, which resolves after the current batch and reindex.
 */
export function startBulkActionWorker(services: Services) {
  const stopBatches = repeat(
    () => giveWay(services.db, () => performBatch(services)),
    (error) => console.error('A batch of a bulk action failed and will be tried again:', error),
  )
  const stopRemovals = repeat(
    () => projectRemovals(services),
    (error) => console.error('The analytics still have deleted runs. The next attempt is in 10 s:', error),
  )
  return async () => {
    await Promise.all([stopBatches(), stopRemovals()])
  }
}

/** `work` resolves to true if it should be called again at once. */
function repeat(work: () => Promise<boolean | void>, onError: (error: unknown) => void) {
  const stopping = new AbortController()
  let wakeUp = () => {}
  const nap = (ms: number) =>
    new Promise<void>((resolve) => {
      if (stopping.signal.aborted) return resolve()
      const timer = setTimeout(resolve, ms)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  async function loop() {
    while (!stopping.signal.aborted) {
      try {
        if (!(await work())) await nap(pollMs)
      } catch (error) {
        onError(error)
        await nap(afterFaultMs)
      }
    }
  }
  const finished = loop()
  return () => {
    stopping.abort()
    wakeUp()
    return finished
  }
}

/** Returns whether there may be more. */
export const deleteOldActions = async ({ db }: Pick<Services, 'db'>) => (await deleteOutdated(db)) > 0
