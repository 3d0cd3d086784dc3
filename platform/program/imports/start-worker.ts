import type { Services } from '#platform/ground/context/context.ts'
import { removeAbandonedFolders } from '#platform/program/import/staging-folder.ts'
import { performImport } from './perform-import.ts'
import { releaseAllLeases } from './store.ts'

const pollMs = 1000
const afterFaultMs = 10_000

/**
 * Works on imports, one after another, while the platform runs. `isAlone` says that no other process uses the database, so
 * what a killed one was doing continues at once. Returns a stop function; the next start continues what it interrupts.
 */
export function startImportWorker(services: Services, { isAlone }: { isAlone: boolean }) {
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
    await removeAbandonedFolders().catch((error: unknown) => console.error('Old files of imports are left:', error))
    if (isAlone) await releaseAllLeases(services.db)
    while (!stopping.signal.aborted) {
      try {
        if (!(await performImport(services, stopping.signal))) await nap(pollMs)
      } catch (error) {
        console.error('The imports could not be looked at. The next attempt is in 10 s:', error)
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
