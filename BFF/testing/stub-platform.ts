import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type SeenRequest = { method: string; url: string; headers: IncomingMessage['headers']; body: string }
type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

export const knownKey = 'assay_known_key_0123456789'

/** Of a person whose address nobody has proven. */
export const unprovenKey = 'assay_unproven_key'

/** One person with two keys, and two others. */
const knownPeople = [
  [knownKey, 'ada'],
  ['assay_second_key_of_ada', 'ada'],
  ['assay_key_of_max', 'max'],
  [unprovenKey, 'eve'],
] as const

/** A platform that knows a few keys, records its requests, and otherwise responds as the test says. */
export async function startStubPlatform() {
  const seen: SeenRequest[] = []
  const people = new Map<string, string>(knownPeople)
  let handler: RequestHandler = (_request, response) => response.end('{}')

  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
    if (request.url === '/healthz') return response.end('{"status":"ok"}')
    const isPublic = /^\/(embed|checkout|webhooks|admin\/v1\/invitation)\b/.test(request.url ?? '')
    const person = people.get(request.headers.authorization?.replace('Bearer ', '') ?? '')
    if (!isPublic && !person) {
      return response.writeHead(401).end('{"error":"unauthenticated","message":"unknown key"}')
    }
    if (request.url?.endsWith('/api/v1/whoami')) {
      const isUnproven = person === 'eve' ? true : undefined
      return response.end(JSON.stringify({ actor: { id: person }, isUnproven }))
    }
    return handler(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    seen,
    revoke: (key: string) => people.delete(key),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answerWith: (next: RequestHandler) => {
      handler = next
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
