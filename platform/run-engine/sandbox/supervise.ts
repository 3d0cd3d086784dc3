import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

import type { CommandEnd, SandboxCommand } from './sandbox.ts'

/** What differs between sandboxes when a command ends. */
export type Supervision = {
  child: ChildProcess
  /** Kills every process of the command; called when it has to stop and again when it has exited. */
  kill: () => void
  /** Whether a process may survive `kill` and hold our pipes open. */
  mayEscape: boolean
  /** Watches what the command uses until the answer is called; `onExceeded` ends it. */
  watch?: (onExceeded: (reason: string) => void) => () => void
  /** Settles when no process of the command is left. */
  untilGone: () => Promise<void>
  /** After exit: why the command never ran, or null when it did. */
  whyNotStarted: (stderrTail: string) => string | null
}

/** The kernel closes the pipes of the killed; a process that got away must not keep us waiting. */
const pipeGraceMs = 2000

type Ended = {
  timedOut: boolean
  stopped: boolean
  exceeded: string | null
  spawnError: string
  stderr: string
  readerError: unknown
}

/** Feeds, watches and ends one started command. */
export async function supervise(command: SandboxCommand, supervision: Supervision): Promise<CommandEnd> {
  const { child, kill, mayEscape } = supervision
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
    kill()
  }
  const stop = () => end('stopped')
  command.signal?.addEventListener('abort', stop, { once: true })
  if (command.signal?.aborted) stop()
  const timer = command.timeoutMs === undefined ? undefined : setTimeout(() => end('timedOut'), command.timeoutMs)

  const unwatch = supervision.watch?.((reason) => {
    ended.exceeded = reason
    kill()
  })
  feed(child, command.stdin)
  const pipes = readPipes(command, child, ended).catch((error: unknown) => {
    // Nobody awaits the pipes yet: a rejection now would end the whole process.
    ended.readerError = error
    kill()
  })
  const exitCode = await exitOf(child, ended)
  const durationMs = performance.now() - startedAt
  clearTimeout(timer)
  unwatch?.()
  command.signal?.removeEventListener('abort', stop)
  kill()
  await supervision.untilGone()
  await (mayEscape ? Promise.race([pipes, delay(pipeGraceMs, undefined, { ref: false })]) : pipes)
  child.stdout?.destroy()
  child.stderr?.destroy()
  if (ended.readerError !== null) throw ended.readerError
  return toCommandEnd(ended, { exitCode, durationMs, whyNotStarted: supervision.whyNotStarted })
}

/**
 * Starts a program. Node throws at once for arguments it cannot hand over, such as one that is too long or holds a NUL:
 * then the answer is the end of a command that could not start.
 */
export function startOrSay<Child>(start: () => Child): { child: Child; end?: undefined } | { end: CommandEnd } {
  // The service's umask is strict; a run's commands get the usual one, because their tests may depend on it.
  const ownMask = process.umask(0o022)
  try {
    return { child: start() }
  } catch (error) {
    const isTooLong = error instanceof Error && 'code' in error && error.code === 'E2BIG'
    const reason = isTooLong ? 'its command line is too long' : 'its command line holds what no program can be given'
    return {
      end: { exitCode: null, timedOut: false, stopped: false, exceeded: null, couldNotStart: reason, durationMs: 0 },
    }
  } finally {
    process.umask(ownMask)
  }
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

const readPipes = (command: SandboxCommand, child: ChildProcess, ended: Ended) =>
  Promise.all([
    drain(child.stdout, command.onStdout),
    drain(child.stderr, (chunk) => {
      ended.stderr = (ended.stderr + Buffer.from(chunk).toString('latin1')).slice(-500)
      return command.onStderr?.(chunk)
    }),
  ])

/** A shell's convention for a command ended by a signal: 128 + its number. */
const killedExitCode = 137

async function exitOf(child: ChildProcess, ended: { spawnError: string }): Promise<number> {
  try {
    const [code] = await once(child, 'exit')
    return typeof code === 'number' ? code : killedExitCode
  } catch (error) {
    ended.spawnError = error instanceof Error ? error.message : String(error)
    return killedExitCode
  }
}

function feed(child: ChildProcess, stdin: string | undefined) {
  // A command that does not read its input closes the pipe early; that is its right.
  child.stdin?.on('error', () => {})
  child.stdin?.end(stdin)
}

async function drain(stream: ChildProcess['stdout'], onChunk: SandboxCommand['onStdout']) {
  if (!stream) return
  try {
    for await (const chunk of stream) await onChunk?.(chunk)
  } catch (error) {
    if (!stream.destroyed || !isPrematureClose(error)) throw error
  }
}

const isPrematureClose = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
