import { readFile, readlink, stat } from 'node:fs/promises'

/** What the kernel says about a container's first process, and about this service. */
export type Observed = {
  status: string
  ownNamespaces: Readonly<Record<string, string>>
  namespaces: Readonly<Record<string, string>>
  /** /proc/net/dev of the container. */
  networkDevices: string
  mounts: string
  keeperUid: number
  /** Whether the container shows the run's own folder at its place. */
  showsFolder: boolean
}

const kinds = ['net', 'pid', 'mnt', 'ipc', 'uts']

/**
 * Returns why a container must not run anything, or null. An engine may ignore an option that it does not know, so the
 * kernel is asked, from outside, before the first command.
 */
export function findContainerFault(observed: Observed): string | null {
  const { status, namespaces, ownNamespaces, networkDevices, mounts, keeperUid, showsFolder } = observed
  const field = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1]
  if (!showsFolder) return 'its folders are not those of this machine: the engine must run on the same machine'
  if (field('Uid') !== String(keeperUid)) return 'the engine maps its users to other ids (userns-remap or rootless)'
  if (['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].some((set) => !/^0+$/.test(field(set) ?? '')))
    return 'it does not drop capabilities'
  if (field('NoNewPrivs') !== '1') return 'its programs can gain privileges'
  if (field('Seccomp') !== '2') return 'it does not filter system calls'
  const shared = kinds.find((kind) => !namespaces[kind] || namespaces[kind] === ownNamespaces[kind])
  if (shared !== undefined) return `it shares the ${shared} namespace of this machine`
  const devices = Array.from(networkDevices.matchAll(/^\s*([^\s:]+):/gm), ([, name]) => name)
  if (devices.some((name) => name !== 'lo')) return 'it has a network'
  return / \/proc\/sys ro[, ]/.test(mounts) ? null : 'it leaves /proc/sys writable'
}

type Place = { pid: number; keeperUid: number; folder: string; inside: string }

/** Reads what `findContainerFault` judges. Throws if the container's first process is not one of this machine. */
export async function observeContainer({ pid, keeperUid, folder, inside }: Place): Promise<Observed> {
  const proc = `/proc/${pid}`
  const namespacesOf = async (of: string) =>
    Object.fromEntries(
      await Promise.all(kinds.map(async (kind) => [kind, await readlink(`${of}/ns/${kind}`)] as const)),
    )
  const identity = (path: string) => stat(path, { bigint: true }).then(({ dev, ino }) => `${dev}:${ino}`)
  return {
    status: await readFile(`${proc}/status`, 'latin1'),
    namespaces: await namespacesOf(proc),
    ownNamespaces: await namespacesOf('/proc/self'),
    networkDevices: await readFile(`${proc}/net/dev`, 'latin1'),
    mounts: await readFile(`${proc}/mountinfo`, 'latin1'),
    keeperUid,
    showsFolder: (await identity(folder)) === (await identity(`${proc}/root${inside}`).catch(() => '')),
  }
}
