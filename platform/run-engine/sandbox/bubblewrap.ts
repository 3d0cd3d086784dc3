import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

import { writeToPipe } from '#platform/confinement/write-to-pipe.ts'
import { confinedStdio } from '#platform/confinement/confined-stdio.ts'
import { argumentsFd, bubblewrapArguments, mountsOf, pipeContents, statusFd } from './bubblewrap-arguments.ts'
import { killProcess } from './kill-process.ts'
import { launchCommand } from './launch-command.ts'
import { type ProcessLimits, whyNotExecuted } from './limits.ts'
import { notStarted } from './not-started.ts'
import { openOwnNetwork } from './own-network.ts'
import type { CommandEnd, SandboxCommand } from './sandbox.ts'
import { startedChild, supervise, tryStart } from './supervise.ts'
import { watchUsage } from './watch-usage.ts'

export type BubblewrapOptions = {
  clientsFolder?: string | undefined
  limits?: ProcessLimits | undefined
  /** An old bubblewrap that can neither forbid user namespaces inside nor limit the size of /tmp. */
  isOld?: boolean
  /** Drops root first, if the service runs as root. */
  isUnprivileged?: boolean
}

/** Runs a command in its own namespaces: processes, mounts, IPC, host name and network. */
export const spawnInBubblewrap =
  (options: BubblewrapOptions = {}) =>
  async (command: SandboxCommand): Promise<CommandEnd> => {
    const { forwards, names, signal } = command
    if (forwards.length === 0) return spawnBelow(options)(command, [])
    const viaUserNamespace = !options.isUnprivileged
    const network = await openOwnNetwork({ forwards, ...(names && { names }), viaUserNamespace, signal }).catch(
      (error: unknown) => notStarted(error instanceof Error ? error.message : String(error), signal?.aborted),
    )
    if ('couldNotStart' in network) return network
    try {
      return await spawnBelow(options)(command, network.enter)
    } finally {
      network.close()
    }
  }

/**
 * Starts bubblewrap with `launcher` before it. The environment is passed through a pipe: in bwrap's own environment it
 * could preload a library into bwrap, and on the command line `ps` would show it.
 */
const spawnBelow =
  ({ clientsFolder, limits, isOld = false, isUnprivileged = false }: BubblewrapOptions) =>
  async (command: SandboxCommand, launcher: readonly string[]): Promise<CommandEnd> => {
    const launched = await launchCommand(command, {
      mounts: mountsOf(command, clientsFolder),
      limits,
      isUnprivileged,
    })
    const { mounts } = launched
    const [program = '', ...args] = [...launcher, ...launched.argv]
    const contents = pipeContents(command)
    const descriptorCount = Math.max(statusFd, argumentsFd, ...contents.keys()) + 1
    const started = tryStart(() =>
      spawn(program, args, {
        stdio: confinedStdio(Array.from({ length: descriptorCount }, () => 'pipe' as const)),
        env: { PATH: process.env['PATH'] },
        // Detaches from the terminal: Ctrl-C must reach only the service, which then stops the run in order.
        detached: true,
      }),
    )
    if (started.end) return started.end
    const { child } = started
    const status = child.stdio[statusFd]
    const options = bubblewrapArguments(command, { mounts, isOld })
    writeToPipe(child, argumentsFd, options.join('\0'))
    for (const [fd, content] of contents) writeToPipe(child, fd, content)
    let statusText = ''
    let isKilled = false
    const firstProcess = () => Number(/"child-pid": (\d+)/.exec(statusText)?.[1] ?? 0)
    if (status instanceof Readable)
      status.on('data', (chunk) => {
        statusText += String(chunk)
        if (isKilled) kill()
      })
    /*
     * When the namespace's first process ends, the kernel kills all others. It ends with bwrap (--die-with-parent), but only
     * after it has reported its id; bwrap killed before that leaves it behind. So kill it directly once its id is known.
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

    let isProgramFault = false
    const end = await supervise(command, {
      started: startedChild(child),
      kill,
      mayEscape: false,
      ...(limits && {
        watch: (onExceeded) => watchUsage({ written: writtenFolders(command), limits, firstProcess }, onExceeded),
      }),
      untilGone: async () => {
        await Promise.race([statusClosed, delay(1000, undefined, { ref: false })])
        await untilProcessGone(firstProcess())
      },
      whyNotStarted: (stderr) => {
        const hasStarted = statusText.includes('"exit-code"')
        isProgramFault = hasStarted || /bwrap: execvp /.test(stderr)
        return hasStarted ? whyNotExecuted(stderr) : reasonOf(stderr, command)
      },
    })
    // An image can contain what no sandbox can be built on, so there the image is the reason.
    const isSandboxFault = end.couldNotStart !== null && !isProgramFault && !command.root
    return isSandboxFault ? { ...end, isSandboxFault } : end
  }

const writtenFolders = ({ folders, root }: SandboxCommand) => [
  folders.workspace,
  folders.home,
  ...(root ? [root.layer] : []),
]

function reasonOf(stderr: string, command: SandboxCommand) {
  const said = /bwrap: (?:execvp )?(.*)\s*$/.exec(stderr)?.[1]
  return said ?? `${command.argv[0]} could not be started`
}

/** `pid` is the first process of the namespace, which ends only after all others. A zombie counts as ended. */
async function untilProcessGone(pid: number) {
  if (pid === 0) return
  for (let waitedMs = 0; waitedMs < 5000; waitedMs += 5) {
    const state = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')
    if (state === '' || /\) [ZX] /.test(state)) return
    await delay(5)
  }
}
