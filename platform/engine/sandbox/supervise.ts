import type { Readable, Writable } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'

import { messageOf } from '#contract/wire/message-of.ts'
import { killedExitCode, type StartedProcess } from '#platform/ground/processes/started-process.ts'
import type { CommandEnd, SandboxCommand } from './sandbox.ts'

/** A command that was started. `exit` is its exit code, and rejects if it could not be started. */
export type StartedCommand = {
  stdin: Writable | null
  stdout: Readable | null
  stderr: Readable | null
  exit: Promise<number>
}

/** The differences between sandboxes when a command ends. */
export type Supervision = {
  started: StartedCommand
  /** Kills the command, and what it started. Called when it must stop, and again after it has exited unless it leaves processes. */
  kill: (why: WhyKilled) => void
  /** Whether a process may survive `kill` and keep the pipes open. */
  mayEscape: boolean
  /** Whether what the command started in the background stays alive after it. */
  leavesProcesses?: boolean
  /** Watches the resources of the command until the returned function is called; `onExceeded` ends the command. */
  watch?: (onExceeded: (reason: string) => void) => () => void
  /** Resolves when no process of the command is left. */
  untilGone: () => Promise<void>
  /** Returns why the command never ran, or null if it ran. Called after exit. */
  whyNotStarted: (stderrTail: string) => string | null
}

/** `failed`: the reader of its output did. */
type WhyKilled = 'timedOut' | 'stopped' | 'exceeded' | 'failed' | 'ended'

/** The kernel closes the pipes of killed processes; a process that escaped must not delay the end. */
const pipeGraceMs = 2000

type Ended = {
  timedOut: boolean
  stopped: boolean
  exceeded: string | null
  spawnError: string
  stderr: string
  readerError: unknown
}

/** Feeds input to a started command, watches it and ends it. */
export async function supervise(command: SandboxCommand, supervision: Supervision): Promise<CommandEnd> {
  const { started, kill, mayEscape, leavesProcesses = false } = supervision
  const startedAt = performance.now()
  const ended: Ended = {
    timedOut: false,
    stopped: false,
    exceeded: null,
    spawnError: '',
    stderr: '',
    readerError: null,
  }
  const end = (how: 'timedOut' | 'stopped') => {
    ended[how] = true
    kill(how)
  }
  const stop = () => end('stopped')
  command.signal?.addEventListener('abort', stop, { once: true })
  if (command.signal?.aborted) stop()
  const timer = command.timeoutMs === undefined ? undefined : setTimeout(() => end('timedOut'), command.timeoutMs)

  const unwatch = supervision.watch?.((reason) => {
    ended.exceeded = reason
    kill('exceeded')
  })
  feed(started, command.stdin)
  const reading: Reading = { isOver: false, bytes: 0, busy: 0 }
  const pipes = readPipes(command, { started, reading, ended }).catch((error: unknown) => {
    // The pipes are not awaited yet, so a rejection now would end the whole service.
    ended.readerError = error
    kill('failed')
  })
  const exitCode = await exitOf(started, ended)
  const durationMs = performance.now() - startedAt
  command.onExit?.()
  clearTimeout(timer)
  unwatch?.()
  command.signal?.removeEventListener('abort', stop)
  if (!leavesProcesses) kill('ended')
  await supervision.untilGone()
  if (leavesProcesses) await untilQuiet(reading, pipes)
  else await (mayEscape ? Promise.race([pipes, delay(pipeGraceMs, undefined, { ref: false })]) : pipes)
  reading.isOver = true
  if (!leavesProcesses) for (const stream of [started.stdout, started.stderr]) stream?.destroy()
  if (ended.readerError !== null) throw ended.readerError
  return toCommandEnd(ended, { exitCode, durationMs, whyNotStarted: supervision.whyNotStarted })
}

/** Starts a process, or returns the end of a command that could not start. */
export async function tryStart(
  start: () => Promise<StartedProcess>,
): Promise<{ process: StartedProcess; end?: undefined } | { end: CommandEnd }> {
  try {
    return { process: await start() }
  } catch (error) {
    const ended = { exitCode: null, timedOut: false, stopped: false, exceeded: null, durationMs: 0 }
    return { end: { ...ended, couldNotStart: whyNotPassed(error) } }
  }
}

function whyNotPassed(error: unknown) {
  const [code, message] = error instanceof Error ? ['code' in error && error.code, error.message] : ['', String(error)]
  if (code === 'E2BIG') return 'its command line is too long'
  // For example, it contains NUL.
  if (code === 'ERR_INVALID_ARG_VALUE')
    return 'its command line contains an argument that cannot be passed to a program'
  return message
}

type Exit = { exitCode: number; durationMs: number; whyNotStarted: Supervision['whyNotStarted'] }

function toCommandEnd(ended: Ended, { exitCode, durationMs, whyNotStarted }: Exit): CommandEnd {
  const wasKilled = ended.timedOut || ended.stopped || ended.exceeded !== null
  const couldNotStart = wasKilled ? null : ended.spawnError || whyNotStarted(ended.stderr)
  return {
    exitCode: wasKilled || couldNotStart ? null : exitCode,
    timedOut: ended.timedOut && !ended.stopped,
    stopped: ended.stopped,
    couldNotStart,
    exceeded: ended.stopped || ended.timedOut ? null : ended.exceeded,
    durationMs,
  }
}

/** The output of a command that is read. After `isOver`, what its processes still print is dropped. */
type Reading = { isOver: boolean; bytes: number; busy: number }

type Pipes = { started: StartedCommand; reading: Reading; ended: Ended }

const readPipes = (command: SandboxCommand, { started: { stdout, stderr }, reading, ended }: Pipes) =>
  Promise.all([
    drain(stdout, reading, command.onStdout),
    drain(stderr, reading, (chunk) => {
      ended.stderr = (ended.stderr + Buffer.from(chunk).toString('latin1')).slice(-500)
      return command.onStderr?.(chunk)
    }),
  ])

/** How long nothing arrives from a pipe before everything in it is read. */
const quietMs = 25
/** More than pipes hold when a command exits. */
const lastBytes = 4 * 1024 * 1024

/**
 * Waits until everything is read that a command had printed when it exited. A process that it left may keep its pipes open, and
 * print on.
 */
async function untilQuiet(reading: Reading, pipes: Promise<unknown>) {
  const haveEnded = pipes.then(() => true)
  const atExit = reading.bytes
  let before = -1
  while (reading.busy > 0 || (reading.bytes !== before && reading.bytes - atExit < lastBytes)) {
    before = reading.bytes
    if (await Promise.race([haveEnded, delay(quietMs, false)])) return
    // If this process was busy, the timer comes before what has arrived meanwhile.
    for (let turn = 0; turn < turnsToRead; turn += 1) await nextTurn()
  }
}

const turnsToRead = 3

async function exitOf({ exit }: StartedCommand, ended: { spawnError: string }): Promise<number> {
  try {
    return await exit
  } catch (error) {
    ended.spawnError = messageOf(error)
    return killedExitCode
  }
}

function feed(started: StartedCommand, stdin: string | undefined) {
  // A command may close its stdin without reading it all.
  started.stdin?.on('error', () => {})
  started.stdin?.end(stdin)
}

async function drain(stream: Readable | null, reading: Reading, onChunk: SandboxCommand['onStdout']) {
  if (!stream) return
  try {
    for await (const chunk of stream) {
      if (reading.isOver) continue
      reading.bytes += (chunk as Uint8Array).byteLength
      reading.busy += 1
      try {
        await onChunk?.(chunk)
      } finally {
        reading.busy -= 1
      }
    }
  } catch (error) {
    if (!stream.destroyed || !isPrematureClose(error)) throw error
  }
}

const isPrematureClose = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
