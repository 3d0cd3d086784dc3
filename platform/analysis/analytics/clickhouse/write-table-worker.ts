import { parentPort } from 'node:worker_threads'

import { messageOf } from '#contract/wire/message-of.ts'
import { ResponseTooLarge } from '#platform/analysis/analytics/result-limits.ts'
import { writeTable } from '#platform/analysis/analytics/write-table.ts'
import type { WriteReply, WriteRequest } from './table-writer.ts'

/** The main program of the thread that writes large results, so that the thread for requests never parses them. */

function write({ id, bytes, rowLimit }: WriteRequest): WriteReply & { json?: Uint8Array } {
  try {
    const { json, statistics } = writeTable(bytes, rowLimit)
    return { id, kind: 'written', json: new TextEncoder().encode(json), statistics }
  } catch (error) {
    const message = messageOf(error)
    return { id, kind: error instanceof ResponseTooLarge ? 'too-large' : 'failed', message }
  }
}

parentPort?.on('message', (request: WriteRequest) => {
  const reply = write(request)
  parentPort?.postMessage(reply, reply.json ? [reply.json.buffer as ArrayBuffer] : [])
})
