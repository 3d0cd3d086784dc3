import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'

import { messageOf } from '#contract/wire/message-of.ts'
import { answerMessages, conversationOfMessages, MessagesRequest } from './anthropic.ts'
import { answerGenerate, conversationOfContents, GenerateRequest } from './gemini.ts'
import { answerResponses, conversationOfInput, ResponsesRequest } from './openai.ts'
import {
  type Conversation,
  findAnswer,
  plain,
  type Played,
  type Scene,
  type Tokens,
  tokensPerAnswer,
} from './script.ts'

/** What the stub answered, in the scene of `prompt`; null is a request of the client's own, such as a title. */
export type Answered = { prompt: string | null; tokens: Tokens }

type Options = { scenes?: readonly Scene[]; tokensOf?: (answer: number) => Tokens }

/**
 * A model server on loopback with the Anthropic, OpenAI and Gemini APIs. It plays `scenes`; `tokensOf` gives the tokens of
 * its first, second, … answer. `requests` lists the requested paths, `answered` what the stub answered and reported.
 */
export async function startStubModel({ scenes = [plain], tokensOf = () => tokensPerAnswer }: Options = {}) {
  const requests: string[] = []
  const answered: Answered[] = []
  const refusals = new Map<string, number>()

  /** The step of a request, and its tokens; or the status with which it is refused. */
  const play: Play = (conversation) => {
    const { prompt, key, step, results } = findAnswer(scenes, conversation)
    const refused = refusals.get(key) ?? 0
    const status = step.failures?.[refused]
    if (status !== undefined) {
      refusals.set(key, refused + 1)
      throw new Failure(status)
    }
    const tokens = tokensOf(answered.length + 1)
    answered.push({ prompt, tokens })
    return { step, results, tokens, id: answered.length }
  }
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    answer(play, request, response).catch((error: unknown) => refuse(response, error))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    answered,
    /** Serves a connection from a sandbox, which has a loopback of its own. */
    onConnection: (connection: Socket) => void server.emit('connection', connection),
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

class Failure extends Error {
  readonly kind: number | 'cut'
  constructor(kind: number | 'cut') {
    super(kind === 429 ? 'Too many requests' : 'Overloaded')
    this.kind = kind
  }
}

function refuse(response: ServerResponse, error: unknown) {
  const kind = error instanceof Failure ? error.kind : 500
  if (kind === 'cut') {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(': begins\n\n', () => response.destroy())
    return
  }
  const message = messageOf(error)
  const type = kind === 429 ? 'rate_limit_error' : 'overloaded_error'
  response.writeHead(kind, { 'content-type': 'application/json' })
  // Each provider's clients find their own fields here.
  response.end(JSON.stringify({ type: 'error', error: { type, code: kind, message, status: 'UNAVAILABLE' } }))
}

type Play = (conversation: Conversation) => Played

async function answer(play: Play, request: IncomingMessage, response: ServerResponse) {
  const path = new URL(request.url ?? '/', 'http://stub').pathname
  const body: unknown = JSON.parse((await text(request)) || '{}')
  const gemini = /\/models\/([^:/]+):(\w+)$/.exec(path)
  if (path.endsWith('/messages/count_tokens')) return sendJson(response, { input_tokens: 10 })
  if (path.endsWith('/messages')) {
    const asked = MessagesRequest.parse(body)
    const { whole, events } = answerMessages(asked, play(conversationOfMessages(asked)))
    return events ? sendEvents(response, events) : sendJson(response, whole)
  }
  if (path.endsWith('/responses')) {
    const asked = ResponsesRequest.parse(body)
    return sendEvents(response, answerResponses(asked, play(conversationOfInput(asked))).events)
  }
  if (gemini?.[2] === 'countTokens') return sendJson(response, { totalTokens: 10 })
  if (gemini) {
    const asked = GenerateRequest.parse(body)
    const model = gemini[1] ?? ''
    const generated = answerGenerate(asked, play(conversationOfContents(asked)), model)
    return gemini[2] === 'streamGenerateContent' ? sendEvents(response, [generated]) : sendJson(response, generated)
  }
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
