import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

import type { EngineClient } from '#platform/containers/engine/engine-client.ts'
import { EngineError, whyEngineFailed } from '#platform/containers/engine/engine-error.ts'
import { notStarted } from '#platform/run-engine/sandbox/not-started.ts'
import { listenIn } from '#platform/run-engine/sandbox/own-network.ts'
import type { CommandEnd, SandboxCommand } from '#platform/run-engine/sandbox/sandbox.ts'
import { supervise } from '#platform/run-engine/sandbox/supervise.ts'
import { watchUsage } from '#platform/run-engine/sandbox/watch-usage.ts'
import { killCommands, listCommands } from './container-processes.ts'
import type { ContainerLimits } from './container-spec.ts'
import type { PreparedImage } from './prepare-image.ts'
import { runExec } from './run-exec.ts'
import type { Container } from './start-container.ts'

type World = {
  engine: EngineClient
  container: Container
  image: Pick<PreparedImage, 'env' | 'uid' | 'gid' | 'inside'>
  limits: ContainerLimits
}

/** Runs commands of one run in its container, one after the other. */
export const spawnInContainer =
  (world: World) =>
  async (command: SandboxCommand): Promise<CommandEnd> => {
    const { forwards, signal, folders } = command
    let closeNetwork = () => {}
    try {
      const started = await (async () => {
        await giveFolders(Object.values(folders), world.image)
        if (forwards.length > 0) {
          const enter = ['nsenter', `--net=/proc/${world.container.pid}/ns/net`, '--']
          closeNetwork = await listenIn(enter, { forwards, signal })
        }
        return signal?.aborted ? null : start(world, command)
      })().catch((error: unknown) => whyNotStarted(error, world.engine))
      if (started === null) return notStarted('', true)
      // The engine answers the same way if the program is missing.
      if (typeof started === 'string') return notStarted(started, signal?.aborted, false)
      return await superviseExec(world, command, started)
    } finally {
      closeNetwork()
    }
  }

const start = ({ engine, container, image }: World, command: SandboxCommand) =>
  runExec(engine, container.id, {
    argv: command.argv,
    env: variablesOf(command, image),
    user: `${image.uid}:${image.gid}`,
    workingDir: image.inside.workspace,
    hasStdin: command.stdin !== undefined,
  })

type Started = Awaited<ReturnType<typeof runExec>>

async function superviseExec(
  { engine, container, limits }: World,
  command: SandboxCommand,
  { firstOutput, ...started }: Started,
) {
  const list = () => listCommands(container.processNamespace, container.keeperUid)
  let hasEnded = false
  let killing: Promise<void> | undefined
  const end = started.exit.finally(() => (hasEnded = true))
  const isOver = end.then(
    () => true,
    () => true,
  )
  /** Kills again until the command has ended: it may still be starting when the first kill runs. */
  const killUntilEnded = async () => {
    do await killCommands(engine, container.id, list)
    while (!(await Promise.race([isOver, delay(20, false)])))
  }
  const written = [...Object.values(command.folders), ...(container.layer === null ? [] : [container.layer])]
  return supervise(command, {
    started: { ...started, exit: end },
    kill: () => {
      if (!hasEnded) killing ??= killUntilEnded().catch(() => container.remove())
    },
    mayEscape: true,
    // The kernel limits the processes of a container.
    watch: (onExceeded) =>
      watchUsage({ written, limits: { ...limits, processes: 0 }, firstProcess: () => container.pid }, onExceeded),
    untilGone: async () => {
      await killing
      await killCommands(engine, container.id, list).catch(() => container.remove())
    },
    whyNotStarted: () => whyNotExecuted(firstOutput()),
  })
}

function variablesOf({ env }: SandboxCommand, image: World['image']) {
  const path = image.env['PATH'] || '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  return { ...image.env, PATH: path, ...env, HOME: image.inside.home, TMPDIR: '/tmp' }
}

/** The service is root and so wrote the run's files as root. No process of the run is alive meanwhile. */
async function giveFolders(folders: readonly string[], { uid, gid }: World['image']) {
  if (uid === 0) return
  await promisify(execFile)('chown', ['-Rh', '--from=0:0', `${uid}:${gid}`, '--', ...folders])
}

const refusal = /unable to start container process: exec: "([^"]*)": ([^:\n]+(?:: no such file or directory)?)/

/** Returns why a command never ran, or null: the engine's runtime then prints the only output. */
export function whyNotExecuted(output: string): string | null {
  const [, program, reason] = refusal.exec(output) ?? []
  return program === undefined ? null : `${program}: ${reason}`
}

function whyNotStarted(error: unknown, { socketPath }: EngineClient) {
  if (error instanceof EngineError && (error.status === 404 || error.status === 409))
    return 'the container of this run has ended'
  return error instanceof Error && !('code' in error) ? error.message : whyEngineFailed(error, socketPath)
}
