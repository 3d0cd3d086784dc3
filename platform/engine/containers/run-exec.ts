import { once } from 'node:events'
import type { Socket } from 'node:net'
import { PassThrough, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

import { Created, ExecState } from '#platform/engine/containers/engine/engine-answers.ts'
import type { EngineClient } from '#platform/engine/containers/engine/engine-client.ts'
import { createFrameReader } from '#platform/engine/containers/engine/stream-frames.ts'
import { hasEnded } from '#platform/engine/sandbox/process-list.ts'
import { killedExitCode } from '#platform/ground/processes/started-process.ts'
import type { StartedCommand } from '#platform/engine/sandbox/supervise.ts'
import type { CommandOutput } from './command-output.ts'

export type ExecSpec = {
  argv: readonly string[]
  env: Readonly<Record<string, string>>
  user: string
  workingDir: string
  hasStdin: boolean
  /** Where it prints; without, through the engine. */
  output: CommandOutput | null
}

const pollMs = 20
/** How long an engine may take to write down how a command ended. */
const lastStateMs = 5000

/**
 * Starts a command in a running container. `firstOutput` is the start of what the engine passed on, `pid` the command's id on
 * this machine.
 */
export async function runExec(
  engine: EngineClient,
  containerId: string,
  { argv, env, user, workingDir, hasStdin, output }: ExecSpec,
): Promise<StartedCommand & { firstOutput: () => string; pid: Promise<number> }> {
  const body = {
    Cmd: output ? output.wrap(argv, hasStdin) : argv,
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    User: user,
    WorkingDir: workingDir,
    AttachStdin: hasStdin,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
  }
  const { Id: id } = await engine.ask({ method: 'POST', path: `/containers/${containerId}/exec`, body }, Created)
  const start = { method: 'POST', path: `/exec/${id}/start`, body: { Detach: false, Tty: false } } as const
  const { socket, head } = await engine.hijack(start)
  const { stdout, stderr, firstOutput, ended } = separate(socket, head)
  if (output) for (const unused of [stdout, stderr]) unused.resume()
  const { promise: pid, resolve: onPid } = Promise.withResolvers<number>()
  let haveStreamsEnded = false
  void ended.then(() => (haveStreamsEnded = true))
  const exit = waitForExit(engine, id, {
    hasStarted: () => haveStreamsEnded || firstOutput() !== '',
    // The engine's streams end early if the command prints elsewhere.
    hasEndedOutput: () => haveStreamsEnded && !output,
    onPid,
  })
  return {
    stdin: hasStdin ? toInput(socket) : null,
    stdout: output?.stdout ?? stdout,
    stderr: output?.stderr ?? stderr,
    exit: exit.finally(() => endSlowly(socket)),
    firstOutput,
    pid,
  }
}

/** The end of the input must not end the output, which the same connection carries. */
const toInput = (socket: Socket) =>
  new Writable({
    write: (chunk, _, done) => void socket.write(chunk, (error) => done(error ?? null)),
    final: (done) => void socket.end(() => done()),
  })

/** An engine closes the connection when the last process that holds its streams has ended. */
function endSlowly(socket: Socket) {
  setTimeout(() => socket.destroy(), lastStateMs).unref()
}

const firstOutputBytes = 500

function separate(socket: Socket, head: Buffer) {
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() }
  const read = createFrameReader()
  let first = ''
  const pass = async (chunk: Buffer) => {
    for (const { stream, bytes } of read(chunk)) {
      if (first.length < firstOutputBytes) first += Buffer.from(bytes).toString('latin1')
      const target = streams[stream]
      if (target.destroyed || target.write(bytes)) continue
      const settled = new AbortController()
      const wait = (event: string) => once(target, event, { signal: settled.signal }).catch(() => {})
      await Promise.race([wait('drain'), wait('close')])
      settled.abort()
    }
  }
  const ended = (async () => {
    try {
      await pass(head)
      for await (const chunk of socket) await pass(chunk)
    } catch {
      // The connection was closed with the container.
    } finally {
      for (const stream of Object.values(streams)) stream.end()
    }
  })()
  return { ...streams, firstOutput: () => first.slice(0, firstOutputBytes), ended }
}

type Watch = { hasStarted: () => boolean; hasEndedOutput: () => boolean; onPid: (pid: number) => void }

/**
 * Resolves with the exit code when the command itself has ended, even if processes that it left hold its streams open.
 * An engine reports the end only when asked, so the process is watched on this machine. Rejects if the engine no longer
 * knows the command.
 */
async function waitForExit(engine: EngineClient, id: string, watch: Watch): Promise<number> {
  const { hasStarted, hasEndedOutput, onPid } = watch
  let lastAnswerBy = Number.POSITIVE_INFINITY
  let hasRun = false
  for (;;) {
    const state = await engine.ask({ method: 'GET', path: `/exec/${id}/json` }, ExecState)
    hasRun ||= state.Running
    if (isOver(state, hasRun || hasStarted())) return state.ExitCode ?? killedExitCode
    const pid = state.Running ? (state.Pid ?? 0) : 0
    if (pid > 0) {
      onPid(pid)
      await untilGone(pid, hasEndedOutput)
    }
    if (pid > 0 || hasEndedOutput()) lastAnswerBy = Math.min(lastAnswerBy, performance.now() + lastStateMs)
    if (performance.now() > lastAnswerBy) return killedExitCode
    await delay(pollMs / 2)
  }
}

/** Before a command starts, engines differ in what they say. */
const isOver = ({ Running, ExitCode, CanRemove }: ReturnType<typeof ExecState.parse>, isPastStart: boolean) =>
  !Running && ((isPastStart && ExitCode !== null && ExitCode !== undefined) || CanRemove === true || Boolean(ExitCode))

async function untilGone(pid: number, isOver: () => boolean) {
  while (!isOver() && !(await hasEnded(pid))) await delay(pollMs)
}
