import { setTimeout as delay } from 'node:timers/promises'

import { messageOf } from '#contract/wire/message-of.ts'
import type { EngineClient } from '#platform/engine/containers/engine/engine-client.ts'
import { EngineError, whyEngineFailed } from '#platform/engine/containers/engine/engine-error.ts'
import { killTree } from '#platform/engine/sandbox/kill-tree.ts'
import { notStarted } from '#platform/engine/sandbox/not-started.ts'
import type { CommandEnd, SandboxCommand, WorldNetwork } from '#platform/engine/sandbox/sandbox.ts'
import { runToEnd } from '#platform/ground/processes/run-to-end.ts'
import { killedExitCode } from '#platform/ground/processes/started-process.ts'
import { supervise } from '#platform/engine/sandbox/supervise.ts'
import { watchUsage } from '#platform/engine/sandbox/watch-usage.ts'
import { InfrastructureFailure, RunFailure } from '#platform/queue/run-queue/run-failure.ts'
import { type CommandOutput, openOutput, startMark } from './command-output.ts'
import type { ContainerLimits } from './container-spec.ts'
import { findTampering } from './find-tampering.ts'
import type { PreparedImage } from './prepare-image.ts'
import { runExec } from './run-exec.ts'
import type { Container } from './start-container.ts'

type World = {
  engine: EngineClient
  container: Container
  network: WorldNetwork
  image: Pick<PreparedImage, 'env' | 'uid' | 'gid' | 'inside' | 'hasShell'>
  limits: ContainerLimits
}

/**
 * Runs commands of one run in its container, one after the other. What they leave in the background stays, if the image has
 * a shell. Throws InfrastructureFailure if the engine stops or does not answer.
 */
export const spawnInContainer =
  (world: World) =>
  async (command: SandboxCommand): Promise<CommandEnd> => {
    const { signal, folders } = command
    const { container, image, network } = world
    await requirePresent(container)
    if (container.state() === 'ended') return notStarted(hasEnded, signal?.aborted, false)
    const tampering = await findTampering(container.root, { inside: image.inside, folders })
    if (tampering !== null) return notStarted(tampering, signal?.aborted, false)
    await giveFolders(Object.values(folders), image)
    const refused = await network.listen(command).then(
      () => null,
      ({ message }: Error) => message,
    )
    if (refused !== null) return notStarted(refused, signal?.aborted)
    if (signal?.aborted) return notStarted('', true)
    const output = image.hasShell ? await openOutput(container.output) : null
    try {
      const started = await start(world, command, output)
      // The engine answers the same way if the program is missing.
      if (typeof started === 'string') return notStarted(started, signal?.aborted, false)
      return await superviseExec(world, command, { ...started, output })
    } finally {
      await output?.end()
    }
  }

const hasEnded = 'the container of this run has ended'

async function requirePresent({ state, whyLost }: Container) {
  if (state() === 'lost') throw await whyLost()
}

/** Returns the started command, or what the engine says about one that it does not start. */
async function start({ engine, container, image }: World, command: SandboxCommand, output: CommandOutput | null) {
  try {
    return await runExec(engine, container.id, {
      argv: command.argv,
      env: variablesOf(command, image),
      user: `${image.uid}:${image.gid}`,
      workingDir: image.inside.workspace,
      hasStdin: command.stdin !== undefined,
      output,
    })
  } catch (error) {
    for (const unused of output ? [output.stdout, output.stderr] : []) unused.destroy()
    const failure = await endWith(error, { engine, container })
    if (failure) throw failure
    return messageOf(error)
  }
}

/**
 * Returns the failure of the platform for an error of a call to the engine, or null if the engine answered. The command
 * could still start or continue, so the container ends first.
 */
async function endWith(error: unknown, { engine, container }: Pick<World, 'engine' | 'container'>) {
  const hasAnswered = error instanceof EngineError && ![404, 409].includes(error.status) && !isDiskFull(error)
  if (hasAnswered) return null
  const state = container.state()
  await container.end()
  if (state === 'ended') return new RunFailure(hasEnded)
  if (state === 'lost') return container.whyLost()
  if (error instanceof RunFailure) return error
  const reason = whyEngineFailed(error, engine.socketPath)
  return new InfrastructureFailure(reason, error instanceof Error && isDiskFull(error) ? 'disk_full' : 'sandbox')
}

const isDiskFull = ({ message }: Error) => /no space left on device/i.test(message)

type Started = Exclude<Awaited<ReturnType<typeof start>>, string> & { output: CommandOutput | null }

async function superviseExec(
  world: World,
  command: SandboxCommand,
  { firstOutput, pid, output, ...started }: Started,
): Promise<CommandEnd> {
  const { container, limits } = world
  const faults = new Array<unknown>()
  const exit = Promise.race([started.exit, untilLost(container)])
    .catch((error: unknown) => {
      if (container.state() !== 'ended') faults.push(error)
      return killedExitCode
    })
    .finally(() => output?.end())
  const isOver = exit.then(() => true)
  let killing: Promise<void> | undefined
  /** Kills again until the command has ended: it may still be starting when the first kill runs. */
  const killUntilEnded = async () => {
    do await container.endCommands()
    while (container.state() === 'running' && !(await Promise.race([isOver, delay(20, false)])))
  }
  /** Kills what this command started. An engine that does not say which process it is gets all of them killed. */
  const killCommand = async () => {
    const first = await Promise.race([pid, delay(startMs, 0, { ref: false })])
    if (first === 0) return killUntilEnded()
    do await killTree(first)
    while (container.state() === 'running' && !(await Promise.race([isOver, delay(20, false)])))
  }
  const end = await supervise(command, {
    started: { ...started, exit },
    kill: (why) => {
      killing ??= why === 'timedOut' || why === 'failed' ? killCommand() : killUntilEnded()
      // Awaited below.
      killing.catch(() => {})
    },
    mayEscape: true,
    leavesProcesses: output !== null,
    // The kernel limits the processes of a container.
    watch: (onExceeded) => {
      const written = [...Object.values(command.folders), ...container.written]
      return watchUsage({ written, limits: { ...limits, processes: 0 }, firstProcess: () => 0 }, onExceeded)
    },
    untilGone: async () => {
      await killing
      await (output ? container.settled() : container.endCommands())
    },
    // What comes after the mark is from the command, which could imitate an engine.
    whyNotStarted: () => (output && firstOutput().startsWith(startMark) ? null : whyNotExecuted(firstOutput())),
  })
  if (faults.length > 0) throw (await endWith(faults[0], world)) ?? faults[0]
  await requirePresent(container)
  return end
}

/** How long an engine may take to name the process of a command. */
const startMs = 5000

/** Rejects when the container has ended. */
async function untilLost({ ended }: Container): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  const fail = () => reject(new RunFailure(hasEnded))
  ended.addEventListener('abort', fail, { once: true })
  if (ended.aborted) fail()
  return promise
}

function variablesOf({ env }: SandboxCommand, image: World['image']) {
  const path = image.env['PATH'] || '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  return { ...image.env, PATH: path, ...env, HOME: image.inside.home, TMPDIR: '/tmp' }
}

/** The service is root and so wrote the run's files as root. */
async function giveFolders(folders: readonly string[], { uid, gid }: World['image']) {
  if (uid === 0) return
  await runToEnd('chown', ['-Rh', '--from=0:0', `${uid}:${gid}`, '--', ...folders])
}

const refusal = /unable to start container process: exec: "([^"]*)": ([^:\n]+(?:: no such file or directory)?)/

/** Returns why a command never ran, or null: the engine's runtime then prints the only output. */
export function whyNotExecuted(output: string): string | null {
  const [, program, reason] = refusal.exec(output) ?? []
  return program === undefined ? null : `${program}: ${reason}`
}
