import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

import { closedProc } from '#platform/confinement/closed-proc.ts'
import { handOver } from '#platform/confinement/hand-over.ts'
import { withoutInherited } from '#platform/confinement/inherited-descriptors.ts'
import { systemCallFilter } from '#platform/confinement/system-call-filter.ts'
import { type ProcessLimits, whyNotExecuted, withLimits } from './limits.ts'
import { binFolderOf } from './process-group.ts'
import type { CommandEnd, RunFolders, SandboxCommand } from './sandbox.ts'
import { startOrSay, supervise } from './supervise.ts'
import { watchUsage } from './watch-usage.ts'

const workspace = '/workspace'
const home = '/home/agent'
const nodeFolder = '/opt/node'
const clientsPlace = '/opt/agents'

/** What a toolchain needs of /etc; nothing of it is secret. */
const etcEntries = ['alternatives', 'ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'localtime', 'timezone']
const networkEtcEntries = [
  'hosts',
  'resolv.conf',
  'nsswitch.conf',
  'ssl',
  'pki',
  'ca-certificates',
  'ca-certificates.conf',
]

const hostPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** `isOld`: a bubblewrap that can neither forbid user namespaces inside nor bound what is written to /tmp. */
type BubblewrapOptions = { clientsFolder?: string | undefined; limits?: ProcessLimits | undefined; isOld?: boolean }

/** Of /tmp and of /dev/shm: what is written there takes the host's memory. */
const memoryFolderBytes = 1024 ** 3

const statusFd = 3
const argumentsFd = 4
const passwdFd = 5
const groupFd = 6
const filterFd = 7

const filter = systemCallFilter()

/** Whom the command runs as; the host's own list of users is none of its business, and may not have this one. */
const agentUser = { uid: '1000', passwd: `agent:x:1000:1000::${home}:/bin/bash\n`, group: 'agent:x:1000:\n' }

export const insideBubblewrap = (): RunFolders => ({ workspace, home })

/**
 * Runs a command in namespaces of its own (processes, mounts, IPC, host name, and network unless asked for).
 * The environment travels over a pipe: as bwrap's own it could preload a library into bwrap, on its command line `ps` shows it.
 */
export const spawnInBubblewrap =
  ({ clientsFolder, limits, isOld = false }: BubblewrapOptions = {}) =>
  async (command: SandboxCommand): Promise<CommandEnd> => {
    const started = startOrSay(() =>
      spawn('bwrap', ['--args', String(argumentsFd), '--', ...withLimits(command.argv, limits)], {
        stdio: withoutInherited(Array.from({ length: filterFd + 1 }, () => 'pipe')),
        env: { PATH: process.env['PATH'] },
        // Away from our terminal: Ctrl-C is for us, who then stop the run in order.
        detached: true,
      }),
    )
    if (started.end) return started.end
    const { child } = started
    const status = child.stdio[statusFd]
    handOver(child, argumentsFd, bubblewrapArguments(command, { clientsFolder, isOld }).join('\0'))
    handOver(child, passwdFd, agentUser.passwd)
    handOver(child, groupFd, agentUser.group)
    handOver(child, filterFd, filter ?? '')
    let statusText = ''
    let isKilled = false
    const firstProcess = () => Number(/"child-pid": (\d+)/.exec(statusText)?.[1] ?? 0)
    if (status instanceof Readable)
      status.on('data', (chunk) => {
        statusText += String(chunk)
        if (isKilled) kill()
      })
    /*
     * With the namespace's first process the kernel kills all others. It dies with bwrap (--die-with-parent), but only once
     * it has said so: killed too early, bwrap would leave it behind. So it is killed itself, as soon as we know its id.
     */
    function kill() {
      isKilled = true
      const hasExited = child.exitCode !== null || child.signalCode !== null
      if (hasExited || firstProcess() === 0) return
      killProcess(firstProcess())
      child.kill('SIGKILL')
    }
    const statusClosed = new Promise<void>((done) => {
      if (status instanceof Readable) status.once('close', done)
      else done()
    })

    return supervise(command, {
      child,
      kill,
      mayEscape: false,
      ...(limits && {
        watch: (onExceeded) => watchUsage({ folders: command.folders, limits, firstProcess }, onExceeded),
      }),
      untilGone: async () => {
        await Promise.race([statusClosed, delay(1000, undefined, { ref: false })])
        await untilProcessGone(firstProcess())
      },
      whyNotStarted: (stderr) =>
        statusText.includes('"exit-code"') ? whyNotExecuted(stderr) : reasonOf(stderr, command),
    })
  }

function reasonOf(stderr: string, command: SandboxCommand) {
  const said = /bwrap: (?:execvp )?(.*)\s*$/.exec(stderr)?.[1]
  return said ?? `${command.argv[0]} could not be started`
}

function bubblewrapArguments(
  { folders, env, network }: SandboxCommand,
  { clientsFolder, isOld }: BubblewrapOptions,
): string[] {
  const readOnly = (path: string) => ['--ro-bind-try', path, path]
  const nodeBin = dirname(process.execPath)
  const etc = network ? [...etcEntries, ...networkEtcEntries] : etcEntries
  const variables = {
    PATH: [`${nodeFolder}/bin`, ...binFolderOf(clientsFolder && clientsPlace), hostPath].join(':'),
    LANG: 'C.UTF-8',
    ...env,
    HOME: home,
    TMPDIR: '/tmp',
  }
  const namespaces = ['pid', 'ipc', 'uts', ...(network ? [] : ['net'])].map((kind) => `--unshare-${kind}`)
  const options = [
    ['--unshare-cgroup-try', '--die-with-parent', '--new-session'],
    // Where we are root the command would keep root's capabilities, and could mount the host's folders writable.
    ['--unshare-user', '--uid', agentUser.uid, '--gid', agentUser.uid, '--cap-drop', 'ALL'],
    isOld ? [] : ['--disable-userns'],
    filter ? ['--seccomp', String(filterFd)] : [],
    ['--hostname', 'assay', '--json-status-fd', String(statusFd)],
    ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'].map(readOnly),
    ...etc.map((entry) => readOnly(`/etc/${entry}`)),
    ['--ro-bind-data', String(passwdFd), '/etc/passwd', '--ro-bind-data', String(groupFd), '/etc/group'],
    ['--ro-bind', nodeBin, `${nodeFolder}/bin`],
    ['--ro-bind-try', join(dirname(nodeBin), 'lib', 'node_modules'), `${nodeFolder}/lib/node_modules`],
    clientsFolder === undefined ? [] : ['--ro-bind', clientsFolder, clientsPlace],
    [...closedProc(), '--dev', '/dev', '--dir', '/home'],
    ...['/tmp', '/dev/shm'].map((place) => [...(isOld ? [] : ['--size', String(memoryFolderBytes)]), '--tmpfs', place]),
    ['--bind', folders.workspace, workspace, '--bind', folders.home, home, '--chdir', workspace],
    // These are folders in memory too, and nobody's to fill.
    ['--remount-ro', '/dev', '--remount-ro', '/'],
    ['--clearenv'],
    ...Object.entries(variables).map(([name, value]) => ['--setenv', name, value.replaceAll('\0', '')]),
  ]
  return [...namespaces, ...options.flat()]
}

export function killProcess(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/** `pid` is the namespace's first process: the kernel lets it end only after all others. A zombie has ended. */
async function untilProcessGone(pid: number) {
  if (pid === 0) return
  for (let waitedMs = 0; waitedMs < 5000; waitedMs += 5) {
    const state = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')
    if (state === '' || /\) [ZX] /.test(state)) return
    await delay(5)
  }
}
