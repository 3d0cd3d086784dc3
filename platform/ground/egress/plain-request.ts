import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Headers between two neighbors, which a proxy must not pass on. */
const hopByHop = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** The headers that a `Connection` header names. A pattern with blanks around the comma would take quadratic time. */
export const namesInConnection = (value: string) =>
  value
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())

function endToEndHeaders({ headersDistinct }: IncomingMessage) {
  const named = new Set((headersDistinct['connection'] ?? []).flatMap(namesInConnection))
  const isPassed = ([name]: [string, unknown]) => !hopByHop.has(name) && !named.has(name)
  return Object.fromEntries(Object.entries(headersDistinct).filter(isPassed))
}

type Target = { socket: Socket; path: string; host: string; headers: Record<string, string> }

/**
 * Sends one parsed request over its own connection, so that no bytes of a request can be read as the start of another.
 */
export function sendPlainRequest(received: IncomingMessage, answer: ServerResponse, target: Target) {
  // It was closed during the dial, and nothing else would ever end this connection.
  if (answer.destroyed) return void target.socket.destroy()
  const hasBody = received.headers['content-length'] !== undefined || 'transfer-encoding' in received.headers
  const sent = request({
    method: received.method,
    path: target.path,
    headers: { ...endToEndHeaders(received), ...target.headers, host: target.host, connection: 'close' },
    createConnection: () => target.socket,
  })
  const fail = () => {
    if (answer.headersSent) answer.destroy()
    else answer.writeHead(502, { 'content-type': 'text/plain' }).end('The server did not send a valid response.\n')
  }
  sent.on('error', fail)
  sent.on('response', (response) => {
    response.on('error', fail)
    answer.writeHead(response.statusCode ?? 502, endToEndHeaders(response))
    response.pipe(answer)
  })
  answer.once('close', () => target.socket.destroy())
  if (hasBody) received.pipe(sent)
  else sent.end()
}
