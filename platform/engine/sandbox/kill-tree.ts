import { killProcess } from './kill-process.ts'
import { listProcesses, readStat } from './process-list.ts'

const maxRounds = 50

/**
 * Kills a process, its descendants, and all others of its session. They are stopped first, so that none can start
 * another one meanwhile. What has left both stays alive, like everything that a command leaves in the background.
 */
export async function killTree(root: number) {
  const stopped = new Set<number>()
  for (let round = 0; round < maxRounds; round += 1) {
    const found = (await findTree(root)).filter((pid) => !stopped.has(pid))
    if (found.length === 0) break
    for (const pid of found) {
      stopped.add(pid)
      signal(pid, 'SIGSTOP')
    }
  }
  stopped.forEach(killProcess)
}

async function findTree(root: number) {
  const pids = await listProcesses()
  const children = new Map<number, number[]>()
  const tree = new Set([root])
  for (const [index, stat] of (await Promise.all(pids.map((pid) => readStat(pid)))).entries()) {
    const pid = pids[index] ?? 0
    if (!stat || stat.state === 'Z' || stat.state === 'X') continue
    if (stat.session === root) tree.add(pid)
    children.set(stat.parent, [...(children.get(stat.parent) ?? []), pid])
  }
  // A set is visited in the order of its additions, including those made meanwhile.
  for (const pid of tree) for (const child of children.get(pid) ?? []) tree.add(child)
  return [...tree]
}

function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name)
  } catch {
    // The process has already ended.
  }
}
