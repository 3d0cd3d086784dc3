import { readFile, readlink, stat } from 'node:fs/promises'
import { join } from 'node:path'

import type { FolderMount } from './container-spec.ts'

/** What the kernel says about a container's first process, and about this service. */
export type Observed = {
  status: string
  ownNamespaces: Readonly<Record<string, string>>
  namespaces: Readonly<Record<string, string>>
  /** /proc/net/dev of the container. */
  networkDevices: string
  mounts: string
  uid: number
  /** Whether the first process is the keeper's file on this machine. */
  isKeeper: boolean
  /** Whether the container shows the run's own folders at their places. */
  showsFolders: boolean
}

const kinds = ['net', 'pid', 'mnt', 'ipc', 'uts']

/**
 * Returns why a container must not run anything, or null. An engine may ignore an option that it does not know, so the
 * kernel is asked, from outside, before the first command.
 */
export function findContainerFault(observed: Observed): string | null {
  const { status, namespaces, ownNamespaces, networkDevices, mounts, uid, isKeeper, showsFolders } = observed
  const field = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1]
  if (!isKeeper) return 'its first process is not ours: the engine must run on the same machine'
  if (!showsFolders) return 'its folders are not those of this machine: the engine must run on the same machine'
  if (field('Uid') !== String(uid)) return 'the engine maps its users to other ids (userns-remap or rootless)'
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

type Place = {
  pid: number
  uid: number
  /** The root of the container, as a path of this machine. */
  root: string
  keeper: string
  mounts: readonly FolderMount[]
}

/** Reads what `findContainerFault` judges. Throws if the container's first process is not one of this machine. */
export async function observeContainer({ pid, uid, root, keeper, mounts }: Place): Promise<Observed> {
  const proc = `/proc/${pid}`
  const namespacesOf = async (of: string) =>
    Object.fromEntries(
      await Promise.all(kinds.map(async (kind) => [kind, await readlink(`${of}/ns/${kind}`)] as const)),
    )
  const areShown = await Promise.all(
    mounts.map(async ({ source, target }) => (await fileIdentity(source)) === (await fileIdentity(join(root, target)))),
  )
  return {
    status: await readFile(`${proc}/status`, 'latin1'),
    namespaces: await namespacesOf(proc),
    ownNamespaces: await namespacesOf('/proc/self'),
    networkDevices: await readFile(`${proc}/net/dev`, 'latin1'),
    mounts: await readFile(`${proc}/mountinfo`, 'latin1'),
    uid,
    showsFolders: areShown.every(Boolean),
    // Last: until now the id belonged to this process, so it also did above.
    isKeeper: (await fileIdentity(`${proc}/exe`)) === (await fileIdentity(keeper)),
  }
}

/** What distinguishes a file from all others of this machine, whatever its path. Empty if it is missing. */
export const fileIdentity = (path: string) =>
  stat(path, { bigint: true }).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => '',
  )
