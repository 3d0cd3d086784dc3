import type { Services } from '#platform/context/context.ts'
import { performBatch } from './perform-batch.ts'
import { deleteOutdated } from './store.ts'

const pollMs = 1000
const afterFaultMs = 10_000

/**
 * Performs bulk actions, one batch after another, while the platform runs. Any number of servers may do so. Returns a stop
 * function, which resolves after the current batch.
 */
export function startBulkActionWorker(services: Services) {
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
        if (!(await performBatch(services))) await nap(pollMs)
      } catch (error) {
        console.error('A batch of a bulk action failed and will be tried again:', error)
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
