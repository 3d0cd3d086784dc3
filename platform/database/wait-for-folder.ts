import { setTimeout as delay } from 'node:timers/promises'

import { FolderTaken, type FolderLock, lockFolder } from './lock-folder.ts'

const everyMs = 100

type Options = {
  /** Whether a service answers for the folder: it keeps the lock for as long as it runs, so nobody waits for it. */
  isServed: () => Promise<boolean>
  patienceMs?: number
}

/** Takes a data folder for this process alone; a command of the CLI that holds it for a moment is waited for. */
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
