import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

import { messageOf } from '#contract/wire/message-of.ts'
import type { StartedProcess } from '#platform/ground/processes/started-process.ts'
import type { Descriptor } from '#platform/ground/processes/starter-messages.ts'
import {
  argumentsFd,
  bubblewrapArguments,
  pipeContents,
  processNamespaceFd,
  statusFd,
  userNamespaceFd,
} from './bubblewrap-arguments.ts'
import { withOuterLimits } from './image-root.ts'
import { killTree } from './kill-tree.ts'
import { type ProcessLimits, whyNotExecuted, withLimits } from './limits.ts'
import { notStarted } from './not-started.ts'
import { untilProcessGone } from './process-list.ts'
import type { CommandEnd, SandboxCommand, World, WorldNeeds } from './sandbox.ts'
import { enterCommand } from './stage.ts'
import { supervise, tryStart } from './supervise.ts'
import { openWorldSpace, type WorldOptions, type WorldSpace } from './world.ts'

/** Opens a world for the commands of one run. Throws an Error with the reason if this machine cannot open it. */
export const openWorldInBubblewrap =
  (options: WorldOptions = {}) =>
  async (needs: WorldNeeds): Promise<World> => {
    const space = await openWorldSpace(needs, options)
    return {
      spawn: (command) => spawnIn(space, options.limits, { ...command, ...needs }, { leavesProcesses: true }),
      endProcesses: space.endProcesses,
      network: space.shared,
      close: space.close,
    }
  }

/** Runs a command in a world of its own: processes, mounts, IPC, host name and network. */
export const spawnInBubblewrap =
  (options: WorldOptions = {}) =>
  async (command: SandboxCommand): Promise<CommandEnd> => {
    if (command.signal?.aborted) return notStarted('', true)
    const space = await openWorldSpace(command, options).catch((error: unknown) => messageOf(error))
    // An image can contain what no sandbox can be built on, so there the image is the reason.
    if (typeof space === 'string') return notStarted(space, command.signal?.aborted, !command.root)
    try {
      return await spawnIn(space, options.limits, command, { leavesProcesses: false })
    } finally {
      await space.close()
    }
  }

type How = { leavesProcesses: boolean }

async function spawnIn(
  space: WorldSpace,
  limits: ProcessLimits | undefined,
  command: SandboxCommand,
  how: How,
): Promise<CommandEnd> {
  const { signal } = command
  const refused = await space.network.listen(command).then(
    () => null,
    (error: unknown) => messageOf(error),
  )
  const end = space.ended()
  if (end) return notStarted(end.reason, signal?.aborted, end.isFault)
  if (refused !== null) return notStarted(refused, signal?.aborted)
  if (signal?.aborted) return notStarted('', true)
  const started = await tryStart(() => start(space, limits, command))
  return started.end ?? superviseIn(space, command, { process: started.process, ...how })
}

/**
 * Starts bubblewrap in a world. The environment is passed through a pipe: in bwrap's own environment it could preload a
 * library into bwrap, and on the command line `ps` would show it.
 */
function start(space: WorldSpace, limits: ProcessLimits | undefined, command: SandboxCommand) {
  const bubblewrap = (argv: readonly string[]) => ['bwrap', '--args', String(argumentsFd), '--', ...argv]
  const program = command.root
    ? withOuterLimits(bubblewrap(command.argv), limits, space.user !== 'own')
    : bubblewrap(withLimits(command.argv, { limits, handle: userNamespaceFd }))
  const [launcher = '', ...args] = enterCommand(program, { ...space, parent: space.starter.pid })
  const contents = [...pipeContents(command)].map(([fd, reads]): [number, Descriptor] => [fd, { reads }])
  return space.starter.start({
    command: launcher,
    args,
    env: { PATH: process.env['PATH'] },
    statusFd,
    descriptors: new Map<number, Descriptor>([
      ...contents,
      [argumentsFd, { reads: bubblewrapArguments(command, space.mounts).join('\0') }],
      [userNamespaceFd, { opens: space.userNamespace }],
      [processNamespaceFd, { opens: space.processNamespace }],
    ]),
  })
}

type Launched = How & { process: StartedProcess }

async function superviseIn(space: WorldSpace, command: SandboxCommand, { process, leavesProcesses }: Launched) {
  const { status } = process
  let statusText = ''
  let isKilled = false
  const firstProcess = () => Number(/"child-pid": (\d+)/.exec(statusText)?.[1] ?? 0)
  const killCommand = () => {
    isKilled = true
    if (!process.hasExited() && firstProcess() > 0) void killTree(firstProcess())
  }
  status.on('data', (chunk) => {
    statusText += String(chunk)
    if (isKilled) killCommand()
  })
  const statusClosed = once(status, 'close')
  let isProgramFault = false
  const end = await supervise(command, {
    started: process,
    kill: (why) => {
      if (leavesProcesses && why !== 'stopped') killCommand()
      else space.kill()
    },
    mayEscape: false,
    leavesProcesses,
    watch: space.onExceeded,
    untilGone: async () => {
      await Promise.race([statusClosed, delay(1000, undefined, { ref: false })])
      if (!leavesProcesses || space.ended() !== null) await space.untilGone()
      else if (firstProcess() > 0) await untilProcessGone(firstProcess())
    },
    whyNotStarted: (stderr) => {
      const hasStarted = statusText.includes('"exit-code"')
      isProgramFault = hasStarted || /bwrap: execvp /.test(stderr)
      return hasStarted ? whyNotExecuted(stderr) : reasonOf(stderr, command)
    },
  })
  const worldEnd = space.ended()
  // Its processes died with the world, whatever their exit code says.
  if (worldEnd?.isFault) return { ...end, exitCode: null, couldNotStart: worldEnd.reason, isSandboxFault: true }
  // An image can contain what no sandbox can be built on, so there the image is the reason.
  const isSandboxFault = end.couldNotStart !== null && !isProgramFault && !command.root
  return isSandboxFault ? { ...end, isSandboxFault } : end
}

function reasonOf(stderr: string, command: SandboxCommand) {
  const said = /bwrap: (?:execvp )?(.*)$/.exec(stderr.trimEnd())?.[1]
  return said ?? `${command.argv[0]} could not be started`
}
