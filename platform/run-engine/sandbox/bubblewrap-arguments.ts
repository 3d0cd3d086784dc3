import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { resolverSettings } from '#platform/egress/named-hosts.ts'
import { closedProc } from '#platform/confinement/closed-proc.ts'
import { systemCallFilter } from '#platform/confinement/system-call-filter.ts'
import { binFolderOf } from './process-group.ts'
import { imageMounts, variablesOfImage, workspaceMark } from './image-root.ts'
import type { ImageRoot, RunFolders, SandboxCommand } from './sandbox.ts'

export const workspace = '/workspace'
const home = '/home/agent'
const nodeFolder = '/opt/node'
const clientsMount = '/opt/agents'
export const sourceMount = '/source'

/** Entries of /etc that a toolchain needs. None of them is secret. */
const etcEntries = ['alternatives', 'ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'localtime', 'timezone']
const certificateEntries = ['nsswitch.conf', 'ssl', 'pki', 'ca-certificates', 'ca-certificates.conf']
const hostNetworkEntries = [...certificateEntries, 'resolv.conf']

const hostPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** The size of /tmp and of /dev/shm, which use the host's memory. */
const memoryFolderBytes = 1024 ** 3

export const statusFd = 3
export const argumentsFd = 4
const filterFd = 5
const passwdFd = 6
const groupFd = 7
const hostsFd = 8
const resolverFd = 9

const filter = systemCallFilter()
const filterForRoot = systemCallFilter(process.arch, { pretendsRoot: true })

/** The user of the command. The host's own list of users stays hidden and may not contain this user. */
const agentUser = {
  uid: 1000,
  gid: 1000,
  passwd: `agent:x:1000:1000::${home}:/bin/bash\n`,
  group: 'agent:x:1000:\n',
}

/**
 * The data that bubblewrap reads from its file descriptors, besides its arguments. The command would inherit any that
 * bubblewrap does not read. An image has its own list of users.
 */
export const pipeContents = ({ root, names }: SandboxCommand) =>
  new Map<number, string | Uint8Array>(
    root
      ? [[filterFd, (root.uid === 0 ? filterForRoot : filter) ?? '']]
      : [
          [filterFd, filter ?? ''],
          [passwdFd, agentUser.passwd],
          [groupFd, agentUser.group],
          [hostsFd, '127.0.0.1 localhost assay\n::1 localhost\n'],
          ...(names ? [[resolverFd, resolverSettings] as const] : []),
        ],
  )

export const insideBubblewrap = (_folders: RunFolders, root?: ImageRoot): RunFolders =>
  root ? root.inside : { workspace, home }

/** Host paths bound into the sandbox that only the service may read, by name. */
export type Mounts = ReadonlyMap<string, string>

export function mountsOf({ folders, source, root }: SandboxCommand, clientsFolder: string | undefined): Mounts {
  const nodeBin = dirname(process.execPath)
  const modules = join(dirname(nodeBin), 'lib', 'node_modules')
  const mounts = { workspace: folders.workspace, home: folders.home, node: nodeBin }
  return new Map([
    ...Object.entries(mounts),
    ...(existsSync(modules) ? [['modules', modules] as const] : []),
    ...(clientsFolder === undefined ? [] : [['clients', clientsFolder] as const]),
    ...(source === undefined ? [] : [['source', source] as const]),
    ...(root ? imageMounts(root) : []),
  ])
}

export function bubblewrapArguments(
  command: SandboxCommand,
  { mounts, isOld }: { mounts: Mounts; isOld: boolean },
): string[] {
  const { folders, forwards, hostNetwork, root } = command
  const inside = insideBubblewrap(folders, root)
  const { uid, gid } = root ?? agentUser
  const bind = (how: string, name: string, path: string) => {
    const source = mounts.get(name)
    return source === undefined ? [] : [how, source, path]
  }
  const ownFolders = Object.entries(root?.isBuild ? {} : inside)
    .toSorted(([, a], [, b]) => a.length - b.length)
    .flatMap(([name, path]) => bind('--bind', name, path))
  const isShared = hostNetwork === true && forwards.length === 0
  const namespaces = ['pid', 'ipc', 'uts', ...(isShared || forwards.length > 0 ? [] : ['net'])].map(
    (kind) => `--unshare-${kind}`,
  )
  const options = [
    ['--unshare-cgroup-try', '--die-with-parent', '--new-session'],
    // Without this, a command started by root would keep root's capabilities and could mount host folders writable.
    ['--unshare-user', '--uid', String(uid), '--gid', String(gid), '--cap-drop', 'ALL'],
    isOld ? [] : ['--disable-userns'],
    filter ? ['--seccomp', String(filterFd)] : [],
    ['--hostname', 'assay', '--json-status-fd', String(statusFd)],
    root ? bind('--bind', 'root', '/') : toolchainOfMachine(command),
    bind('--ro-bind', 'node', `${nodeFolder}/bin`),
    bind('--ro-bind', 'modules', `${nodeFolder}/lib/node_modules`),
    bind('--ro-bind', 'clients', clientsMount),
    bind('--ro-bind', 'source', sourceMount),
    [...closedProc(), '--dev', '/dev'],
    root ? (root.isBuild ? [] : bind('--ro-bind', 'workspace', workspaceMark)) : ['--dir', '/home'],
    // In an image, files in /tmp stay for the run's next command.
    ...(root ? ['/dev/shm'] : ['/tmp', '/dev/shm']).map((place) => [
      ...(isOld ? [] : ['--size', String(memoryFolderBytes)]),
      '--tmpfs',
      place,
    ]),
    [...ownFolders, '--chdir', inside.workspace],
    // These folders are also in memory, so they must be read-only.
    ['--remount-ro', '/dev', ...(root ? [] : ['--remount-ro', '/'])],
    ['--clearenv'],
    ...Object.entries(variablesOf(command, mounts)).map(([name, value]) => ['--setenv', name, value]),
  ]
  // NUL separates the options, so none may contain it.
  return [...namespaces, ...options.flat()].map((option) => option.replaceAll('\0', ''))
}

function toolchainOfMachine({ forwards, names, hostNetwork }: SandboxCommand) {
  const readOnly = (path: string) => ['--ro-bind-try', path, path]
  const ofNetwork = forwards.length > 0 ? certificateEntries : hostNetwork ? hostNetworkEntries : []
  return [
    ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'].flatMap(readOnly),
    ['--ro-bind-data', String(hostsFd), '/etc/hosts'],
    names ? ['--ro-bind-data', String(resolverFd), '/etc/resolv.conf'] : [],
    ...[...etcEntries, ...ofNetwork].flatMap((entry) => readOnly(`/etc/${entry}`)),
    ['--ro-bind-data', String(passwdFd), '/etc/passwd', '--ro-bind-data', String(groupFd), '/etc/group'],
  ].flat()
}

function variablesOf({ env, root, folders }: SandboxCommand, mounts: Mounts) {
  const clients = binFolderOf(mounts.has('clients') ? clientsMount : undefined)
  const node = `${nodeFolder}/bin`
  const home = insideBubblewrap(folders, root).home
  if (root) return { ...variablesOfImage(root, [...clients, node]), ...env, HOME: home, TMPDIR: '/tmp' }
  return { PATH: [node, ...clients, hostPath].join(':'), LANG: 'C.UTF-8', ...env, HOME: home, TMPDIR: '/tmp' }
}

/** The folders of an image where something is mounted, besides the run's own. */
export const mountPoints = [
  '/proc',
  '/dev',
  '/tmp',
  `${nodeFolder}/bin`,
  `${nodeFolder}/lib/node_modules`,
  clientsMount,
]
