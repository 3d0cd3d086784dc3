import type { ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

import { EngineError, timeoutExceeded } from '#platform/analysis/analytics/engine-error.ts'
import { ResponseTooLarge } from '#platform/analysis/analytics/result-limits.ts'
import { withMemorySlot } from '#platform/analysis/analytics/memory-slots.ts'
import { Failure, preconditionFailed, unavailable } from '#platform/ground/failures/failure.ts'
import { type Confinement, sqlUnavailableMessage } from './confine.ts'
import type { EngineResult, EngineNotice, EngineOptions, EngineReply, EngineRequest, EngineTask } from './messages.ts'
import { pendingReplies } from './pending-replies.ts'
import { spawnEngine } from './spawn-confined.ts'

const engineMain = fileURLToPath(new URL('./engine-main.ts', import.meta.url))

const graceMilliseconds = 1000

/** Added to the deadline for an answer that is complete and waits to be sent. */
const sendingMilliseconds = 60_000

/**
 * The process ended before it answered. `isOfMemory`: it exceeded its memory limit, so the statement may be the cause.
 */
export class EngineEnded extends Failure {
  readonly isOfMemory: boolean

  constructor(reason: string, isOfMemory: boolean) {
    super('unavailable', reason)
    this.isOfMemory = isOfMemory
  }
}

/**
 * One running engine process. `perform` rejects with an EngineError when the engine refuses the task, and with
 * EngineEnded when the process dies first.
 */
export type EngineProcess = {
  /** Resolves once the engine is ready, and rejects with the reason when it cannot open its folder. */
  ready: Promise<void>
  perform: (task: EngineTask, deadlineSeconds: number) => Promise<EngineResult>
  isAlive: () => boolean
  /** Resolves when the process has ended and its folder is free. */
  stop: () => Promise<void>
}

/** Starts an engine process for `options.folder`. It ends with this process, even if this process is killed. */
export function startEngineProcess(options: EngineOptions, { confine, missing }: Confinement): EngineProcess {
  const child = spawnEngine(confine(options.folder, [process.execPath, engineMain, JSON.stringify(options)]))
  const pending = pendingReplies(() => letExit(child))
  const ready = Promise.withResolvers<void>()
  ready.promise.catch(() => {})
  const gone = Promise.withResolvers<void>()
  let deathReason = 'The analytics engine stopped. Try again'
  let isOfMemory = false
  const ended = () => new EngineEnded(deathReason, isOfMemory)

  child.on('message', (message: EngineReply | EngineNotice) => {
    if (message.kind === 'ready') {
      letExit(child)
      ready.resolve()
    } else if (message.kind === 'cannot-open') ready.reject(unavailable(`Analytics cannot open: ${message.message}`))
    else if (message.kind === 'out-of-memory') {
      deathReason = 'The analytics engine ran out of memory'
      isOfMemory = true
    } else if (message.kind === 'offered') void fetchOffered(message.id)
    else if (message.kind === 'part') pending.addPart(message.id, message.bytes)
    else if (message.kind === 'done') pending.resolve(message.id, message.statistics)
    else if (message.kind === 'too-large') pending.reject(message.id, new ResponseTooLarge(message.message))
    else pending.reject(message.id, new EngineError(message.message, message.code))
  })
  child.on('error', (error) => ready.reject(error))
  // Not at exit: bubblewrap may end before the engine inside, which keeps the pipe and the folder's lock.
  child.once('close', () => {
    ready.reject(unavailable(deathReason))
    pending.rejectAll(ended())
    gone.resolve()
  })

  const kill = (reason: string) => {
    deathReason = reason
    child.kill('SIGKILL')
  }

  const tooLong = (id: number) => {
    pending.reject(id, new EngineError('The statement did not stop at its deadline', timeoutExceeded))
    kill('The analytics engine was restarted because a query did not stop at its deadline. Try again')
  }

  const request = (message: EngineRequest) =>
    child.send(message, (error) => error && pending.reject(message.id, ended()))

  /** The statement has ended, and its engine now waits for the platform. */
  async function fetchOffered(id: number) {
    const settled = pending.extend(id, setTimeout(tooLong, sendingMilliseconds, id))
    await withMemorySlot(async () => {
      request({ kind: 'send', id })
      await settled
    })
  }

  return {
    ready: ready.promise,
    isAlive: () => child.connected && !child.killed && child.exitCode === null && child.signalCode === null,
    async perform(task, deadlineSeconds) {
      if (task.kind === 'read' && missing !== null) throw preconditionFailed(sqlUnavailableMessage(missing))
      const deadline = setTimeout(() => tooLong(id), deadlineSeconds * 1000 + graceMilliseconds)
      const { id, reply } = pending.add(deadline)
      keepRunning(child)
      request({ ...task, id })
      return reply
    },
    stop() {
      keepRunning(child)
      kill('The analytics engine is stopping')
      return gone.promise
    },
  }
}

/** An idle engine must not keep a command line tool from ending. */
function letExit(child: ChildProcess) {
  child.unref()
  child.channel?.unref()
  lifePipe(child)?.unref()
}

function keepRunning(child: ChildProcess) {
  child.ref()
  child.channel?.ref()
  lifePipe(child)?.ref()
}

/** Stays open while a process of the engine lives. */
function lifePipe(child: ChildProcess) {
  const pipe = child.stdio[4]
  return pipe instanceof Socket ? pipe : undefined
}
