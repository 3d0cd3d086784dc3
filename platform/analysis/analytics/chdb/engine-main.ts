import { messageOf } from '#contract/wire/message-of.ts'
import { ResponseTooLarge, maxErrorCharacters } from '#platform/analysis/analytics/result-limits.ts'
import { lowerPriority } from '#platform/ground/processes/lower-priority.ts'
import type { EngineNotice, EngineOptions, EngineReply, EngineRequest, EngineTask } from './messages.ts'
import { openEngine, performTask, type Performed } from './perform-task.ts'

/**
 * The main program of one engine process. With bubblewrap it sees one organization's data folder and nothing else of
 * the machine. It has no keys and no environment, so a statement can at worst reach its own organization's rows.
 */

process.umask(0o077)

const options = JSON.parse(process.argv[2] ?? '{}') as EngineOptions

const memoryCheckMilliseconds = 100

/** Gives requests and runs priority over queries. */
const niceness = 10

/** SIGKILL, because an exit would wait for the statement that must be stopped. */
const dieNow = () => process.kill(process.pid, 'SIGKILL')

const send = (message: EngineReply | EngineNotice, sent: () => void = () => {}) => process.send?.(message, sent)

process.on('disconnect', dieNow)
// Ctrl-C reaches the whole process group, but the platform decides when its engines stop.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})

/** The largest part that does not delay other requests: one of 16 MB blocks the platform's thread for 18 ms. */
const partBytes = 512 * 1024

/** Large answers that the platform has not asked for yet, by request id. */
const offered = new Map<number, PromiseWithResolvers<void>>()

function toRefusal(id: number, error: unknown): EngineReply {
  const message = messageOf(error)
  if (error instanceof ResponseTooLarge) return { kind: 'too-large', id, message }
  const code = /Code: (\d+)/.exec(message)?.[1]
  return { kind: 'refused', id, message: message.slice(0, maxErrorCharacters), code: code ? Number(code) : null }
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
  lowerPriority(niceness)
  openEngine(options)
  serve()
} catch (error) {
  send({ kind: 'cannot-open', message: messageOf(error) }, dieNow)
}
