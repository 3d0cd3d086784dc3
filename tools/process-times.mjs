import { readdirSync, readFileSync } from 'node:fs'

/** The kernel counts in hundredths of a second, which is what every Linux that Node runs on shows. */
const tickMs = 10

/**
 * All processes with the processor time of their own (`ownMs`) and of the children that they have waited for
 * (`endedMs`). Empty where there is no /proc. @returns {Map<number, ProcessTimes>}
 */
export function readProcesses() {
  const found = new Map()
  for (const pid of listProcesses()) {
    const stat = readOf(pid, 'stat')
    if (!stat) continue
    const [name, rest] = [
      stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
      stat.slice(stat.lastIndexOf(')') + 2),
    ]
    const fields = rest.split(' ')
    const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number)
    found.set(pid, {
      name,
      parent: Number(fields[1]),
      ownMs: tickMs * (user + system),
      endedMs: tickMs * (endedUser + endedSystem),
    })
  }
  return found
}

function listProcesses() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

/** Undefined once the process has ended. */
function readOf(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return undefined
  }
}

export const commandOf = (pid) => (readOf(pid, 'cmdline') ?? '').replaceAll('\0', ' ')

/** The process and everything that it started, parents first. */
export function treeOf(pid, processes = readProcesses()) {
  const children = Map.groupBy(processes.keys(), (each) => processes.get(each).parent)
  const tree = processes.has(pid) ? [pid] : []
  // An array also visits what is pushed on the way.
  for (const each of tree) tree.push(...(children.get(each) ?? []))
  return tree
}

/** The processor time of a process and, in `childrenMs`, of everything that it has started, ended or not. */
export function timesOfTree(pid) {
  const processes = readProcesses()
  const [self, ...others] = treeOf(pid, processes).map((each) => processes.get(each))
  const childrenMs = others.reduce((sum, { ownMs, endedMs }) => sum + ownMs + endedMs, self?.endedMs ?? 0)
  return { ownMs: self?.ownMs ?? 0, childrenMs }
}
