import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

export type ProcessInfo = { pid: number; parent: number; command: string }

/** The processes of this machine; those that end meanwhile are left out. */
const listProcesses = (): ProcessInfo[] =>
  pids().flatMap((pid) => {
    const stat = read(`/proc/${pid}/stat`)
    const parent = Number(/\) \S (\d+)/.exec(stat)?.[1] ?? Number.NaN)
    const command = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()
    return Number.isNaN(parent) ? [] : [{ pid, parent, command }]
  })

/** The children of a process, their children, and so on. */
export function descendantsOf(ancestor: number): ProcessInfo[] {
  const byParent = Map.groupBy(listProcesses(), ({ parent }) => parent)
  const below = (pid: number): ProcessInfo[] =>
    (byParent.get(pid) ?? []).flatMap((child) => [child, ...below(child.pid)])
  return below(ancestor)
}

/** The mount namespaces that processes have now. */
export const mountNamespaces = () => new Set(pids().map((pid) => link(`/proc/${pid}/ns/mnt`)))

/**
 * What still uses a folder: processes by their command, folder or environment, or by mounts in a new namespace, except
 * this one.
 */
export function usersOf(folder: string, namespacesBefore: ReadonlySet<string>): string[] {
  return listProcesses().flatMap(({ pid, command }) => {
    if (pid === process.pid) return []
    const uses = {
      command,
      folder: link(`/proc/${pid}/cwd`),
      environment: read(`/proc/${pid}/environ`),
      // A sandbox that is left behind has mounts of the folder in a namespace of its own.
      mounts: namespacesBefore.has(link(`/proc/${pid}/ns/mnt`)) ? '' : parts(read(`/proc/${pid}/mountinfo`)),
    }
    const how = Object.entries(uses).flatMap(([name, text]) => (text.includes(folder) ? [name] : []))
    return how.length > 0 ? [`Process ${pid} is left (${how.join(', ')}): ${command.slice(0, 120)}`] : []
  })
}

/** The mounts of parts of a file system, as sandboxes have. Whole ones are in every copy of the table of mounts. */
const parts = (mountinfo: string) =>
  mountinfo
    .split('\n')
    .filter((line) => line.split(' ')[3] !== '/')
    .join('\n')

/** The mounts in this namespace at or below a folder. */
export const mountsBelow = (folder: string) =>
  read('/proc/self/mountinfo')
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .filter((place) => place === folder || place.startsWith(`${folder}/`))

/** Network namespaces with a name, which outlive their processes. */
export const namedNamespaces = () => entries('/run/netns')

const pids = () =>
  entries('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

function entries(folder: string) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function read(file: string) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function link(path: string) {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
