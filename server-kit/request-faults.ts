import type { Readable } from 'node:stream'

import { bodyTooLate } from './keyless-requests.ts'
import { lateRequest } from './unread-request.ts'

/** Messages for requests that the framework rejects, by its error codes. */
export function describeRequestFault(code: string | undefined, bodyLimit: number): string {
  switch (code) {
    case bodyTooLarge:
      return `The body must be ${bodyLimit.toLocaleString('en')} bytes or less`
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return 'The Content-Type must be a media type such as application/json'
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return 'The body must be as long as its Content-Length'
    case 'FST_ERR_BAD_URL':
      return 'The path must be valid percent-encoded UTF-8'
    case bodyTooLate:
      return lateRequest
    case undefined:
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return 'The body must be valid JSON'
    default:
      return 'The request cannot be read'
  }
}

export const bodyTooLarge = 'FST_ERR_CTP_BODY_TOO_LARGE'

const maxDrained = 100_000_000
const maxDrainMs = 10_000

/**
 * Sends the response to a body that is too large, and then reads the rest of the body before the connection closes. A
 * client that is still sending when its connection closes gets a broken pipe instead of the response.
 */
export async function* respondAndDrain(answer: string, rest: Readable) {
  yield answer
  if (rest.readableEnded || rest.destroyed) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, maxDrainMs)
    const finish = () => {
      clearTimeout(timer)
      resolve()
    }
    let drained = 0
    rest.on('data', (chunk: Buffer) => {
      drained += chunk.length
      if (drained > maxDrained) finish()
    })
    for (const event of ['end', 'close', 'error'] as const) rest.on(event, finish)
    rest.resume()
  })
}
