import { setTimeout as delay } from 'node:timers/promises'

import { FolderTaken, type FolderLock, lockFolder } from './lock-folder.ts'

const everyMs = 100

type Options = {
  /** Whether a service answers for the folder. A service keeps the lock while it runs, so waiting is useless. */
  isServed: () => Promise<boolean>
  patienceMs?: number
}

/** Locks a data folder for this process. Waits while a CLI command has it for a moment. */
export async function waitForFolder(folder: string, { isServed, patienceMs = 20_000 }: Options): Promise<FolderLock> {
  for (let leftMs = patienceMs; ; leftMs -= everyMs) {
    try {
      return lockFolder(folder)
    } catch (error) {
      if (!(error instanceof FolderTaken) || leftMs <= 0 || (await isServed())) throw error
    }
    await delay(everyMs)
  }
}
