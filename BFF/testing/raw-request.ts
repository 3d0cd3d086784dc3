import { type IncomingHttpHeaders, request as httpRequest } from 'node:http'

export type RawRequest = { headers?: Record<string, string>; body?: string }
export type RawResponse = { status: number; headers: IncomingHttpHeaders; text: string }

/** Sends the path exactly as written: fetch and inject would resolve `..` and `//` before the server sees them. */
export function rawRequest(port: number, method: string, path: string, { headers = {}, body }: RawRequest = {}) {
  return new Promise<RawResponse>((resolve, reject) => {
    const host = { host: `127.0.0.1:${port}` }
    const sending = httpRequest(
      // A new connection, because a kept-alive one may belong to a server that has ended.
      { host: '127.0.0.1', port, method, path, headers: { ...host, ...headers }, agent: false },
      (response) => {
        let text = ''
        response.on('data', (chunk) => (text += String(chunk)))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
        response.on('error', reject)
      },
    )
    sending.on('error', reject)
    sending.end(body)
  })
}
