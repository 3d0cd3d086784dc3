import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { answerMessages } from './anthropic.ts'
import { answerGenerate } from './gemini.ts'
import { answerResponses } from './openai.ts'

/**
 * A model server on loopback with the Anthropic, OpenAI and Gemini APIs. Every conversation is the same: a shell
 * command that succeeds, one that fails, and the last words. `requests` lists the requested paths.
 */
export async function startStubModel() {
  const requests: string[] = []
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://stub').pathname
    requests.push(`${request.method} ${path}`)
    answer(path, requests.length, request, response).catch((error: unknown) => {
      response.writeHead(500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: String(error) } }))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

async function answer(path: string, id: number, request: IncomingMessage, response: ServerResponse) {
  const body: unknown = JSON.parse((await text(request)) || '{}')
  const model = /\/models\/([^:/]+):(\w+)$/.exec(path)
  if (path.endsWith('/messages/count_tokens')) return sendJson(response, { input_tokens: 10 })
  if (path.endsWith('/messages')) {
    const { whole, events } = answerMessages(body, id)
    return events ? sendEvents(response, events) : sendJson(response, whole)
  }
  if (path.endsWith('/responses')) return sendEvents(response, answerResponses(body, id).events)
  if (model?.[2] === 'countTokens') return sendJson(response, { totalTokens: 10 })
  if (model?.[2] === 'streamGenerateContent') return sendEvents(response, [answerGenerate(body, model[1] ?? '')])
  if (model) return sendJson(response, answerGenerate(body, model[1] ?? ''))
  response.writeHead(404, { 'content-type': 'application/json' })
  response.end('{"error":{"message":"not known to the stub"}}')
}

function sendJson(response: ServerResponse, body: unknown) {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

function sendEvents(response: ServerResponse, events: readonly object[]) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const lines = events.map((event) => {
    const name = 'type' in event ? `event: ${String(event.type)}\n` : ''
    return `${name}data: ${JSON.stringify(event)}\n\n`
  })
  response.end(lines.join(''))
}
