import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { unavailable } from '#platform/failure.ts'
import type { EngineNotice, EngineOptions, EngineReply, EngineTask } from './messages.ts'

const engineMain = fileURLToPath(new URL('./engine-main.ts', import.meta.url))

/** ClickHouse's TIMEOUT_EXCEEDED and MEMORY_LIMIT_EXCEEDED: the engine stopped the statement by itself. */
const timeoutExceeded = 159
const memoryLimitExceeded = 241

const graceMilliseconds = 1000

type Waiting = { resolve: (rows: Uint8Array) => void; reject: (error: Error) => void; deadline: NodeJS.Timeout }

/** One running engine process. `perform` rejects with `unavailable` when the process dies under it. */
export type EngineProcess = {
  pid: number | undefined
  /** Settles once the engine serves, or rejects with why it could not open its folder. */
  ready: Promise<void>
  perform: (task: EngineTask, deadlineSeconds: number) => Promise<Uint8Array>
  isAlive: () => boolean
  /** Settles when the process is gone and its folder is free for the next. */
  stop: () => Promise<void>
}

/** Starts an engine process over `options.folder`; it dies with this process, whatever kills this process. */
export function startEngineProcess(options: EngineOptions): EngineProcess {
  mkdirSync(options.folder, { recursive: true })
  const child = fork(engineMain, [JSON.stringify(options)], {
    env: { TZ: 'UTC' },
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const waiting = new Map<number, Waiting>()
  const ready = Promise.withResolvers<void>()
  ready.promise.catch(() => {})
  const gone = Promise.withResolvers<void>()
  let deathReason = 'The analytics engine stopped; try again'
  let nextId = 1

  const settle = (id: number, act: (waiting: Waiting) => void) => {
    const entry = waiting.get(id)
    if (!entry) return
    waiting.delete(id)
    clearTimeout(entry.deadline)
    if (waiting.size === 0) letExit(child)
    act(entry)
  }

  child.on('message', (message: EngineReply | EngineNotice) => {
    if (message.kind === 'ready') {
      letExit(child)
      ready.resolve()
    } else if (message.kind === 'cannot-open') ready.reject(unavailable(`Analytics cannot open: ${message.message}`))
    else if (message.kind === 'out-of-memory') deathReason = 'The query used more memory than the engine may have'
    else if (message.kind === 'done') settle(message.id, ({ resolve }) => resolve(message.rows))
    else settle(message.id, ({ reject }) => reject(toError(message)))
  })
  child.on('error', (error) => ready.reject(error))
  child.once('exit', () => {
    ready.reject(unavailable(deathReason))
    for (const id of waiting.keys()) settle(id, ({ reject }) => reject(unavailable(deathReason)))
    gone.resolve()
  })

  const kill = (reason: string) => {
    deathReason = reason
    child.kill('SIGKILL')
  }

  return {
    pid: child.pid,
    ready: ready.promise,
    isAlive: () => child.connected && !child.killed && child.exitCode === null && child.signalCode === null,
    perform(task, deadlineSeconds) {
      const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
      const id = nextId++
      const tooLong = () => kill(`The query took longer than ${deadlineSeconds} s`)
      const deadline = setTimeout(tooLong, deadlineSeconds * 1000 + graceMilliseconds)
      waiting.set(id, { resolve, reject, deadline })
      keepRunning(child)
      child.send({ ...task, id }, (error) => {
        if (error) settle(id, (entry) => entry.reject(unavailable(deathReason)))
      })
      return promise
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
}

function keepRunning(child: ChildProcess) {
  child.ref()
  child.channel?.ref()
}

function toError(refusal: EngineReply & { kind: 'refused' }) {
  if (refusal.code === timeoutExceeded) return unavailable('The query took longer than it may')
  if (refusal.code === memoryLimitExceeded) return unavailable('The query used more memory than it may')
  return new Error(refusal.message)
}
