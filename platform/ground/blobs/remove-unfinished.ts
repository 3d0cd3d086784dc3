import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** No blob takes this long to write, so its writer was killed. */
const abandonedAfterMs = 60 * 60_000

/**
 * Removes unfinished files of killed processes from a blob folder, and from the places that earlier versions used.
 * Other processes may be writing there. Returns the number of removed files.
 */
export async function removeUnfinished(folder: string, olderThanMs = abandonedAfterMs): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  let removed = 0
  for (const name of names.filter((each) => each.endsWith('.part'))) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (!found?.isFile() || Date.now() - found.mtimeMs < olderThanMs) continue
    await rm(path, { force: true })
    removed += 1
  }
  return removed
}
