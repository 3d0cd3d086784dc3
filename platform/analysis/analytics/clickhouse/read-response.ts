import type { Readable } from 'node:stream'

import { ClickHouseError, type ExecResult, parseError } from '@clickhouse/client'

import { EngineError } from '#platform/analysis/analytics/engine-error.ts'
import { maxErrorCharacters } from '#platform/analysis/analytics/result-limits.ts'
import { withMemorySlot } from '#platform/analysis/analytics/memory-slots.ts'

/** A larger answer is only read when this process has room for it. Until then the server keeps the rest. */
const largeAnswerBytes = 256 * 1024

type Answer = ExecResult<Readable>

/**
 * Reads an answer to its end, or cancels it at `maxBytes` and throws the error from `tooLarge`. An error answer, which
 * can quote a value of any size, is read only up to a useful length.
 */
export async function readResponse(response: Answer, maxBytes: number, tooLarge: () => Error): Promise<Buffer> {
  const stream = openStream(response.stream)
  try {
    if ((response.http_status_code ?? 200) >= 400) {
      await stream.readUpTo(maxErrorCharacters)
      throw toError(response, stream.read().toString().slice(0, maxErrorCharacters))
    }
    if (await stream.readUpTo(largeAnswerBytes)) {
      const goesOn = await withMemorySlot(() => stream.readUpTo(maxBytes))
      if (goesOn) throw tooLarge()
    }
    return stream.read()
  } finally {
    response.stream.destroy()
  }
}

function openStream(stream: Readable) {
  const iterator = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const chunks: Buffer[] = []
  let bytes = 0
  return {
    /** Returns whether there is more than that. */
    async readUpTo(limit: number) {
      while (bytes <= limit) {
        const { value, done } = await iterator.next()
        if (done) return false
        chunks.push(value)
        bytes += value.length
      }
      return true
    },
    read: () => Buffer.concat(chunks),
  }
}

function toError({ response_headers }: Answer, text: string): Error {
  const parsed = parseError(text)
  if (parsed instanceof ClickHouseError) return toEngineError(parsed)
  const code = Number(response_headers['x-clickhouse-exception-code'])
  return code ? new EngineError(text, code) : parsed
}

/** The server's message without its version, in the form that the code for engine errors expects. */
export const toEngineError = ({ code, message, type }: ClickHouseError) =>
  new EngineError(`Code: ${code}. DB::Exception: ${message.trim()} (${type ?? ''})`, Number(code))
