import { setPriority } from 'node:os'

import type { EngineNotice, EngineOptions, EngineReply, EngineRequest } from './messages.ts'
import { openEngine, performTask } from './perform-task.ts'

/**
 * The whole of one engine process: one organization's data directory, nothing else of the machine where bubblewrap is.
 * It holds no key and no environment, so the worst a statement can reach is the rows it was started for.
 */

const options = JSON.parse(process.argv[2] ?? '{}') as EngineOptions

const memoryCheckMilliseconds = 100

/** A query gives way to the routes of the platform and to runs. */
const niceness = 10

/** Killed, not exited: an exit would wait for the statement that has to be stopped. */
const dieNow = () => process.kill(process.pid, 'SIGKILL')

const send = (message: EngineReply | EngineNotice, sent: () => void = () => {}) => process.send?.(message, sent)

process.on('disconnect', dieNow)
// The platform decides when its engines stop; Ctrl-C reaches the whole process group.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})

function toRefusal(id: number, error: unknown): EngineReply {
  const message = error instanceof Error ? error.message : String(error)
  const code = /Code: (\d+)/.exec(message)?.[1]
  return { kind: 'refused', id, message, code: code ? Number(code) : null }
}

function serve() {
  process.on('message', (request: EngineRequest) => {
    performTask(options, request).then(
      (rows) => send({ kind: 'done', id: request.id, rows }),
      (error: unknown) => send(toRefusal(request.id, error)),
    )
  })
  setInterval(() => {
    const bytes = process.memoryUsage.rss()
    if (bytes > options.memoryBytes) send({ kind: 'out-of-memory', bytes }, dieNow)
  }, memoryCheckMilliseconds)
  send({ kind: 'ready' })
}

try {
  setPriority(niceness)
  openEngine(options)
  serve()
} catch (error) {
  send({ kind: 'cannot-open', message: error instanceof Error ? error.message : String(error) }, dieNow)
}
