import { readdir, readFile, readlink, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'

import { workspace, workspaceMark } from './inside-places.ts'
import { killProcess } from './kill-process.ts'
import { listProcesses } from './process-list.ts'

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
  const ofWorker = join(sep, basename(dirname(workFolder)), basename(workFolder), sep)
  for (const pid of await listProcesses().catch(() => [])) {
    const mounted = await Promise.all(marks.map((mark) => identityOf(`/proc/${pid}/root${mark}`)))
    const isInside = mounted.some((identity) => identity !== null && workspaces.has(identity))
    if (isInside || (await isSettingUp(pid, ofWorker))) killProcess(pid)
  }
}

/**
 * Whether a process is bubblewrap between its first mount and its command. Then the workspace is not at its place yet,
 * and a bubblewrap that lost its parent waits for it forever.
 */
async function isSettingUp(pid: number, ofWorker: string) {
  const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
  if ((await read('comm')).trim() !== 'bwrap') return false
  const namespaceOf = (process: number | 'self') => readlink(`/proc/${process}/ns/mnt`).catch(() => null)
  if ((await namespaceOf(pid)) === (await namespaceOf('self'))) return false
  const parts = (await read('mountinfo')).split('\n').map((line) => line.split(' ')[3] ?? '')
  return parts.some((part) => part.includes(ofWorker))
}

const identityOf = (path: string) =>
  stat(path).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => null,
  )
