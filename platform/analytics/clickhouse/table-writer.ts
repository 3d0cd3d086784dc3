import { Worker } from 'node:worker_threads'

import { AnswerTooLarge } from '#platform/analytics/limits-of-results.ts'
import { type TableText, writeTable } from '#platform/analytics/write-table.ts'
import { unavailable } from '#platform/failures/failure.ts'

export type WriteRequest = { id: number; bytes: Uint8Array; rowLimit: number }
export type WriteReply =
  | { id: number; kind: 'written'; json: Uint8Array; statistics: TableText['statistics'] }
  | { id: number; kind: 'too-large'; message: string }
  | { id: number; kind: 'failed'; message: string }

type Written = { json: Uint8Array; statistics: TableText['statistics'] }

export type TableWriter = {
  /** As writeTable, off this thread; `bytes` are given away. */
  write: (bytes: Uint8Array, rowLimit: number) => Promise<Written>
  close: () => Promise<void>
}

/** Smaller ones take less than a millisecond, and need not wait behind large ones. */
const worthwhileBytes = 32 * 1024

/** Of its heap; the text of an answer is 16 MB at most. */
const workerMegabytes = 1024

/** Writes answers in a thread of its own, which is started by the first large one and started again after its end. */
export function tableWriter(): TableWriter {
  const waiting = new Map<number, PromiseWithResolvers<Written>>()
  let worker: Worker | undefined
  let lastId = 0

  function start() {
    const started = new Worker(new URL('./write-table-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: workerMegabytes },
    })
    started.unref()
    started.on('message', settle)
    started.on('error', (error) => console.error('The thread that writes query results failed:', error.message))
    started.on('exit', () => {
      if (worker === started) worker = undefined
      for (const { reject } of waiting.values()) reject(unavailable('The result could not be written; try again'))
      waiting.clear()
    })
    return started
  }

  function settle(reply: WriteReply) {
    const request = waiting.get(reply.id)
    waiting.delete(reply.id)
    if (reply.kind === 'written') request?.resolve(reply)
    else request?.reject(reply.kind === 'too-large' ? new AnswerTooLarge(reply.message) : new Error(reply.message))
  }

  return {
    async write(bytes, rowLimit) {
      if (bytes.length < worthwhileBytes) {
        const { json, statistics } = writeTable(bytes, rowLimit)
        return { json: new TextEncoder().encode(json), statistics }
      }
      worker ??= start()
      const id = ++lastId
      const written = Promise.withResolvers<Written>()
      waiting.set(id, written)
      worker.postMessage({ id, bytes, rowLimit } satisfies WriteRequest, [bytes.buffer as ArrayBuffer])
      return written.promise
    },
    async close() {
      await worker?.terminate()
    },
  }
}
