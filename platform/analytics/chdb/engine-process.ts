import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { unavailable } from '#platform/failure.ts'
import { EngineError } from './engine-error.ts'
import type { EngineNotice, EngineOptions, EngineReply, EngineTask } from './messages.ts'
import { pendingReplies } from './pending-replies.ts'

const engineMain = fileURLToPath(new URL('./engine-main.ts', import.meta.url))

/** ClickHouse's TIMEOUT_EXCEEDED and MEMORY_LIMIT_EXCEEDED: the engine stopped the statement by itself. */
const timeoutExceeded = 159
const memoryLimitExceeded = 241

const graceMilliseconds = 1000

/** One running engine process. `perform` rejects with `unavailable` when the process dies under it. */
export type EngineProcess = {
  /** Settles once the engine serves, or rejects with why it could not open its folder. */
  ready: Promise<void>
  perform: (task: EngineTask, deadlineSeconds: number) => Promise<Uint8Array>
  isAlive: () => boolean
  /** Settles when the process is gone and its folder is free for the next. */
  stop: () => Promise<void>
}

/** Starts an engine process over `options.folder`; it dies with this process, whatever kills this process. */
export function startEngineProcess(options: EngineOptions): EngineProcess {
  const child = forkEngine(options)
  const pending = pendingReplies(() => letExit(child))
  const ready = Promise.withResolvers<void>()
  ready.promise.catch(() => {})
  const gone = Promise.withResolvers<void>()
  let deathReason = 'The analytics engine stopped; try again'

  child.on('message', (message: EngineReply | EngineNotice) => {
    if (message.kind === 'ready') {
      letExit(child)
      ready.resolve()
    } else if (message.kind === 'cannot-open') ready.reject(unavailable(`Analytics cannot open: ${message.message}`))
    else if (message.kind === 'out-of-memory') deathReason = 'The query used more memory than the engine may have'
    else if (message.kind === 'done') pending.resolve(message.id, message.rows)
    else pending.reject(message.id, toError(message))
  })
  child.on('error', (error) => ready.reject(error))
  child.once('exit', () => {
    ready.reject(unavailable(deathReason))
    pending.rejectAll(unavailable(deathReason))
    gone.resolve()
  })

  const kill = (reason: string) => {
    deathReason = reason
    child.kill('SIGKILL')
  }

  return {
    ready: ready.promise,
    isAlive: () => child.connected && !child.killed && child.exitCode === null && child.signalCode === null,
    perform(task, deadlineSeconds) {
      const tooLong = () => kill(`The query took longer than ${deadlineSeconds} s`)
      const { id, reply } = pending.add(setTimeout(tooLong, deadlineSeconds * 1000 + graceMilliseconds))
      keepRunning(child)
      child.send({ ...task, id }, (error) => error && pending.reject(id, unavailable(deathReason)))
      return reply
    },
    stop() {
      keepRunning(child)
      kill('The analytics engine is stopping')
      return gone.promise
    },
  }
}

function forkEngine(options: EngineOptions) {
  mkdirSync(options.folder, { recursive: true })
  return fork(engineMain, [JSON.stringify(options)], {
    env: { TZ: 'UTC' },
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

/** An idle engine must not keep a command line tool from ending. */
function letExit(child: ChildProcess) {
  child.unref()
  child.channel?.unref()
}

function keepRunning(child: ChildProcess) {
  child.ref()
  child.channel?.ref()
}

function toError(refusal: EngineReply & { kind: 'refused' }) {
  if (refusal.code === timeoutExceeded) return unavailable('The query took longer than it may')
  if (refusal.code === memoryLimitExceeded) return unavailable('The query used more memory than it may')
  return new EngineError(refusal.message, refusal.code)
}
