import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const prefix = 'assay-probe-'

/** No probe takes this long, so its process was killed. */
const abandonedAfterMs = 10 * 60_000

/**
 * Calls `probe` with an empty temporary folder and removes the folder afterwards. Also removes the folders of probes
 * whose process was killed.
 */
export async function inProbeFolder<T>(probe: (folder: string) => Promise<T>): Promise<T> {
  await removeAbandoned()
  const folder = await mkdtemp(join(tmpdir(), prefix))
  try {
    return await probe(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function removeAbandoned() {
  const names = await readdir(tmpdir())
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    const path = join(tmpdir(), name)
    const found = await lstat(path).catch(() => null)
    if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue
    if (Date.now() - found.mtimeMs > abandonedAfterMs) await rm(path, { recursive: true, force: true })
  }
}
