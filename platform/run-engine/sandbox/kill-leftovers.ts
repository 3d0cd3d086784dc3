import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { insideBubblewrap } from './bubblewrap-arguments.ts'
import { killProcess } from './bubblewrap.ts'

/**
 * Kills what an earlier process of ours may have left running in the workspaces below `workFolder`: a sandbox that was
 * just starting when we were killed can survive us. Found by the workspace it has mounted, so it can be no one else's.
 */
export async function killLeftovers(workFolder: string) {
  const runFolders = await readdir(workFolder).catch(() => [])
  const identities = await Promise.all(runFolders.map((name) => identityOf(join(workFolder, name, 'workspace'))))
  const workspaces = new Set(identities.filter((identity) => identity !== null))
  if (workspaces.size === 0) return
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue
    const mounted = await identityOf(`/proc/${name}/root${insideBubblewrap().workspace}`)
    if (mounted !== null && workspaces.has(mounted)) killProcess(Number(name))
  }
}

const identityOf = (path: string) =>
  stat(path).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => null,
  )
