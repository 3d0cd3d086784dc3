import { logFault } from '#server-kit/log-fault.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { repeat } from '#platform/ground/loops/repeat.ts'
import { removeAbandonedFolders } from '#platform/program/import-formats/reading/staging-folder.ts'
import { performImport } from './perform-import.ts'
import { type ImportWork, releaseAllLeases } from './store.ts'

/** A long import of one organization must not keep others waiting, and each takes a process, memory and disk space. */
const atOnce: Record<ImportWork, number> = { preview: 2, write: 2 }

/**
 * Works on imports while the platform runs, a few at a time. `isAlone` says that no other process uses the database, so
 * what a killed one was doing continues at once. Returns a stop function; the next start continues what it interrupts.
 */
export function startImportWorker(services: Services, { isAlone }: { isAlone: boolean }) {
  let tidied: Promise<void> | undefined
  const untilTidy = () =>
    (tidied ??= tidyUp(services, isAlone).catch((error: unknown) => {
      tidied = undefined
      throw error
    }))
  const lanes = (Object.keys(atOnce) as ImportWork[]).flatMap((work) => {
    const run = async (stopping: AbortSignal) => {
      await untilTidy()
      return performImport(services, work, stopping)
    }
    const works = [{ run, fault: 'The imports could not be looked at' }]
    return Array.from({ length: atOnce[work] }, () =>
      repeat({ everyMs: 1000, firstMs: 0, afterFaultMs: 10_000, works }),
    )
  })
  return async () => {
    await Promise.all(lanes.map(({ stop }) => stop()))
  }
}

/** Removes what an earlier process left. */
async function tidyUp({ db }: Services, isAlone: boolean) {
  await removeAbandonedFolders().catch((error: unknown) => logFault('Old files of imports are left', error))
  if (isAlone) await releaseAllLeases(db)
}
