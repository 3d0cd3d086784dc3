import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export type ReceivedRequest = { method: string; url: string; headers: IncomingHttpHeaders; body: Buffer }

/** A model server on loopback that answers as a test wants, and remembers what it received. */
export async function startScriptedProvider() {
  const received: ReceivedRequest[] = []
  let answer = (_request: ReceivedRequest, response: ServerResponse): void | Promise<void> => {
    response.writeHead(500).end()
  }
  const server = createServer((request, response) => {
    response.on('error', () => {})
    void buffer(request)
      .then((body) => {
        const seen = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
        received.push(seen)
        return answer(seen, response)
      })
      .catch(() => response.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** Sets the answer to the next requests and forgets the earlier ones. */
    answers(next: typeof answer) {
      received.length = 0
      answer = next
    },
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

export const json = (response: ServerResponse, body: unknown, status = 200) => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

export const eventsOf = (events: readonly object[]) =>
  events.map((event) => `${'type' in event ? `event: ${String(event.type)}\n` : ''}data: ${JSON.stringify(event)}\n\n`)
