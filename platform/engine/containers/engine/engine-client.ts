import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'

import type { z } from 'zod'

import { EngineError, messageInBody } from './engine-error.ts'

type Call = {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  path: string
  query?: Record<string, string>
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** How long the answer may take. An engine that hangs must not hang the worker. */
  limitMs?: number
}

/** The API of Docker, which Podman also speaks, on a Unix socket of this machine. */
export type EngineClient = ReturnType<typeof engineClient>

const answerMs = 60_000
const maxAnswerBytes = 16 * 1024 * 1024

export function engineClient(socketPath: string) {
  const send = ({ method, path, query = {}, body, headers = {}, ...bounds }: Call, upgrade = false) => {
    const content = body === undefined ? undefined : JSON.stringify(body)
    const search = new URLSearchParams(query).toString()
    const sent = request({
      socketPath,
      method,
      path: search === '' ? path : `${path}?${search}`,
      headers: {
        Host: 'engine',
        ...(content === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(content === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(content)) }),
        ...(upgrade ? { Connection: 'Upgrade', Upgrade: 'tcp' } : {}),
        ...headers,
      },
      ...limitOf(bounds, upgrade),
    })
    sent.end(content)
    return sent
  }

  /** Resolves with the answer's head. Rejects with EngineError for an error answer. */
  const open = async (call: Call): Promise<IncomingMessage> => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    send(call).once('error', reject).once('response', resolve)
    const answer = await promise
    const status = answer.statusCode ?? 0
    if (status >= 400) throw new EngineError(status, messageInBody(status, await textOf(answer)))
    return answer
  }

  return {
    socketPath,
    open,
    /** Sends a call whose answer does not matter. */
    async send(call: Call) {
      await textOf(await open(call))
    },
    /** Sends a call and checks its answer. */
    async ask<Schema extends z.ZodType>(call: Call, schema: Schema): Promise<z.infer<Schema>> {
      return schema.parse(JSON.parse(await textOf(await open(call))))
    },
    /** Opens a connection in both directions, with the bytes that have already arrived. */
    async hijack(call: Call): Promise<{ socket: Socket; head: Buffer }> {
      const { promise, resolve, reject } = Promise.withResolvers<{ socket: Socket; head: Buffer }>()
      const sent = send(call, true)
      const timer = setTimeout(() => sent.destroy(noAnswer()), call.limitMs ?? answerMs)
      sent.once('error', reject)
      sent.once('upgrade', (_, socket: Socket, head: Buffer) => resolve({ socket, head }))
      sent.once('response', async (answer) => {
        const status = answer.statusCode ?? 0
        reject(new EngineError(status, messageInBody(status, await textOf(answer).catch(() => ''))))
      })
      return promise.finally(() => clearTimeout(timer))
    },
  }
}

/** A connection in both directions stays open. */
function limitOf({ signal, limitMs = answerMs }: Pick<Call, 'signal' | 'limitMs'>, isConnection: boolean) {
  if (isConnection) return signal ? { signal } : {}
  const limit = AbortSignal.timeout(limitMs)
  return { signal: signal ? AbortSignal.any([signal, limit]) : limit }
}

const noAnswer = () => new DOMException('It took too long', 'TimeoutError')

async function textOf(answer: IncomingMessage) {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer) {
    bytes += chunk.length
    if (bytes > maxAnswerBytes) throw new Error('The engine sent too much')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
