import type { ErrorBody } from '#contract/errors.ts'

export const lateRequest = 'The request did not arrive in time; send it again'

const reasons: Record<string, [status: string, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', lateRequest],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request headers are too large'],
}

/** Returns the complete HTTP response to a request that the framework could not parse, by Node's error code. */
export function responseToUnread(code: string) {
  const [status, message] = reasons[code] ?? ['400 Bad Request', 'The request is not valid HTTP']
  const body = JSON.stringify({ error: 'invalid_argument', message } satisfies ErrorBody)
  const headers = ['connection: close', 'content-type: application/json', `content-length: ${body.length}`]
  return [`HTTP/1.1 ${status}`, ...headers, '', body].join('\r\n')
}
