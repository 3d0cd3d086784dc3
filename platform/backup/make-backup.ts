import { randomUUID } from 'node:crypto'
import { access, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { create } from 'tar'

import type { StateCopy } from '#platform/context/state-copy.ts'
import { preconditionFailed } from '#platform/failures/failure.ts'
import { stageBackup } from './stage-backup.ts'

/** Database files compress well even at a low level, and the service keeps working meanwhile. */
const compression = 3

/**
 * Writes a backup of a data folder, whose service may be running, to the new file `file`, readable only by its owner.
 * The file appears when it is complete. Returns its size in bytes. Throws `failed_precondition` if the file exists or
 * its folder does not.
 */
export async function makeBackup(state: StateCopy, file: string): Promise<number> {
  const { dataFolder } = state
  if (await exists(file)) throw preconditionFailed(`${file} exists already. Choose another name`)
  if (!(await exists(dirname(file)))) throw preconditionFailed(`The folder ${dirname(file)} does not exist`)
  await removeStaged(dataFolder)
  const staged = join(dataFolder, `backup-${randomUUID()}`)
  const unfinished = `${file}.part`
  try {
    await stageBackup(state, staged)
    // Created first, because tar would make it readable for others.
    await (await open(unfinished, 'w', 0o600)).close()
    await create({ gzip: { level: compression }, file: unfinished, cwd: staged }, await readdir(staged))
    await rename(unfinished, file)
    return (await stat(file)).size
  } finally {
    await rm(unfinished, { force: true })
    await rm(staged, { recursive: true, force: true })
  }
}

/** Backups that were killed left their folders. */
async function removeStaged(dataFolder: string) {
  const names = await readdir(dataFolder)
  for (const name of names.filter((each) => each.startsWith('backup-')))
    await rm(join(dataFolder, name), { recursive: true, force: true })
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
