import { setPriority } from 'node:os'

import { AnswerTooLarge, errorCharacters } from '#platform/analytics/limits-of-results.ts'
import type { EngineNotice, EngineOptions, EngineReply, EngineRequest, EngineTask } from './messages.ts'
import { openEngine, performTask, type Performed } from './perform-task.ts'

/**
 * The whole of one engine process: one organization's data directory, nothing else of the machine where bubblewrap is.
 * It holds no key and no environment, so the worst a statement can reach is the rows it was started for.
 */

process.umask(0o077)

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

/** The largest piece that does not delay other callers of the platform: 16 MB in one piece block its thread for 18 ms. */
const partBytes = 512 * 1024

/** Large answers that wait for the platform, by the id of their request. */
const offered = new Map<number, PromiseWithResolvers<void>>()

function toRefusal(id: number, error: unknown): EngineReply {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof AnswerTooLarge) return { kind: 'too-large', id, message }
  const code = /Code: (\d+)/.exec(message)?.[1]
  return { kind: 'refused', id, message: message.slice(0, errorCharacters), code: code ? Number(code) : null }
}

async function answer(request: EngineTask & { id: number }) {
  const { id } = request
  try {
    const performed = await performTask(options, request, () => {
      offered.set(id, Promise.withResolvers())
      send({ kind: 'offered', id })
    })
    await offered.get(id)?.promise
    await sendParts(id, performed)
  } catch (error) {
    send(toRefusal(id, error))
  } finally {
    offered.delete(id)
  }
}

async function sendParts(id: number, { bytes, statistics }: Performed) {
  for (let at = 0; at < bytes.length; at += partBytes) {
    const part = bytes.slice(at, at + partBytes)
    await new Promise<void>((sent) => send({ kind: 'part', id, bytes: part }, sent))
  }
  send({ kind: 'done', id, statistics })
}

function serve() {
  process.on('message', (request: EngineRequest) => {
    if (request.kind === 'send') offered.get(request.id)?.resolve()
    else void answer(request)
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
