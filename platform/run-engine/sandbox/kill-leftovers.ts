import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { workspace } from './bubblewrap-arguments.ts'
import { workspaceMark } from './image-root.ts'
import { killProcess } from './kill-process.ts'

/** Where a sandbox mounts its workspace: without an image, and with one. */
const marks = [workspace, workspaceMark]

/**
 * Kills processes that an earlier service process may have left running in the workspaces below `workFolder`: a sandbox
 * that was just starting when the service was killed can survive it. A process is recognized by the workspace it has
 * mounted, so no other process is ever killed.
 */
export async function killLeftovers(workFolder: string) {
  const runFolders = await readdir(workFolder).catch(() => [])
  const identities = await Promise.all(runFolders.map((name) => identityOf(join(workFolder, name, 'workspace'))))
  const workspaces = new Set(identities.filter((identity) => identity !== null))
  if (workspaces.size === 0) return
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue
    const mounted = await Promise.all(marks.map((mark) => identityOf(`/proc/${name}/root${mark}`)))
    if (mounted.some((identity) => identity !== null && workspaces.has(identity))) killProcess(Number(name))
  }
}

const identityOf = (path: string) =>
  stat(path).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => null,
  )
