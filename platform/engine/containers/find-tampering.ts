import { lstat } from 'node:fs/promises'
import { join } from 'node:path'

import { realPathInside } from '#platform/engine/images/inside-root.ts'
import type { RunFolders } from '#platform/engine/sandbox/sandbox.ts'
import { fileIdentity } from './prove-container.ts'

const maxListBytes = 1024 * 1024

/**
 * Returns what a run has done to its container that would mislead the engine at the next command, or null. The engine reads
 * the lists of users as root and would wait for ever for a pipe in their place, and it enters the working directory.
 * A process that runs meanwhile can still mislead it, and so harm its own run.
 */
export async function findTampering(root: string, run: { inside: RunFolders; folders: RunFolders }) {
  for (const path of ['/etc/passwd', '/etc/group']) {
    const real = await realPathInside(root, path)
    const stats = real === null ? null : await lstat(join(root, real)).catch(() => null)
    // The engine may follow more links than we do.
    if (real === null || (stats && (!stats.isFile() || stats.size > maxListBytes)))
      return `${path} in the container is not a list of users`
  }
  for (const name of ['workspace', 'home'] as const) {
    const path = run.inside[name]
    const isDirect = (await realPathInside(root, path)) === path
    if (!isDirect || (await fileIdentity(join(root, path))) !== (await fileIdentity(run.folders[name])))
      return `${path} in the container leads elsewhere`
  }
  return null
}
