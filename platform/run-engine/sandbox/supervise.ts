import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

import type { CommandEnd, SandboxCommand } from './sandbox.ts'

/** What differs between sandboxes when a command ends. */
export type Supervision = {
  child: ChildProcess
  /** Kills every process of the command; called when it has to stop and again when it has exited. */
  kill: () => void
  /** Settles when no process of the command is left. */
  untilGone: () => Promise<void>
  /** After exit: why the command never ran, or null when it did. */
  whyNotStarted: (stderrTail: string) => string | null
}

/** Pipes a killed command's processes held are closed by the kernel; a process that got away must not keep us waiting. */
const pipeGraceMs = 2000

/** Feeds, watches and ends one started command. */
export async function supervise(command: SandboxCommand, supervision: Supervision): Promise<CommandEnd> {
  const { child, kill } = supervision
  const startedAt = performance.now()
  const ended = { timedOut: false, stopped: false, spawnError: '', stderr: '' }
  let readerError: unknown = null
  const stop = () => {
    ended.stopped = true
    kill()
  }
  command.signal?.addEventListener('abort', stop, { once: true })
  if (command.signal?.aborted) stop()
  const timer =
    command.timeoutMs === undefined ? undefined : setTimeout(timeOut, Math.min(command.timeoutMs, 2 ** 31 - 1))
  function timeOut() {
    ended.timedOut = true
    kill()
  }

  feed(child, command.stdin)
  const pipes = Promise.all([
    drain(child.stdout, command.onStdout),
    drain(child.stderr, (chunk) => {
      ended.stderr = (ended.stderr + Buffer.from(chunk).toString('latin1')).slice(-500)
      return command.onStderr?.(chunk)
    }),
  ]).catch((error: unknown) => {
    // Nobody awaits the pipes yet: a rejection now would end the whole process.
    readerError = error
    kill()
  })
  const exitCode = await exitOf(child, ended)
  const durationMs = performance.now() - startedAt
  clearTimeout(timer)
  command.signal?.removeEventListener('abort', stop)
  kill()
  await Promise.race([pipes, delay(pipeGraceMs, undefined, { ref: false })])
  child.stdout?.destroy()
  child.stderr?.destroy()
  await supervision.untilGone()
  if (readerError !== null) throw readerError

  const wasKilled = ended.timedOut || ended.stopped
  const couldNotStart = wasKilled ? null : ended.spawnError || supervision.whyNotStarted(ended.stderr)
  return {
    exitCode: wasKilled || couldNotStart ? null : exitCode,
    timedOut: ended.timedOut && !ended.stopped,
    stopped: ended.stopped,
    couldNotStart,
    durationMs,
  }
}

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
