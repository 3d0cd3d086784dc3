import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'

import { messageOf } from '#contract/wire/message-of.ts'
import type { ApiCaller } from '#client/api/api-caller.ts'
import { isApiError } from '#src/api/errors.ts'
import { mcpServer } from './mcp-server.ts'
import type { Permissions } from './writing-tools.ts'

const path = '/mcp'

/** A question is a few kilobytes; a definition to check has at most a megabyte. */
const mostBytes = 2 * 1024 * 1024

type Serving = { port: number; permissions: Permissions; connect: (key: string) => Promise<ApiCaller> }

class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/**
 * Serves agents of this machine over HTTP, each with the API key that it sends. Nothing is kept between requests but the
 * budget. Returns the address and how to stop.
 */
export async function serveHttp({ port, permissions, connect }: Serving) {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => refuse(response, error))
  })
  server.requestTimeout = 30_000
  server.maxConnections = 100

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { port: own } = server.address() as AddressInfo
    requireLocal(request, own)
    if (request.url !== path) throw new Refusal(404, `MCP is at ${path}`)
    if (request.method !== 'POST') throw new Refusal(405, 'Send a POST')
    const key = /^Bearer ([\w-]{1,200})$/.exec(request.headers.authorization ?? '')?.[1]
    if (key === undefined) throw new Refusal(401, 'Send an API key as "Authorization: Bearer <API_KEY>"')
    const asked = await readJson(request)
    const agent = mcpServer(await connect(key), permissions)
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
    response.once('close', () => void agent.close())
    await agent.connect(transport)
    await transport.handleRequest(request, response, asked)
  }

  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const closed = once(server, 'close')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    closed,
    stop: () => void server.close().closeAllConnections(),
  }
}

/** A page of a browser may not ask, not even one whose name was given the address of this machine. */
function requireLocal({ headers }: IncomingMessage, port: number) {
  if (headers.origin !== undefined) throw new Refusal(403, 'Pages of a browser may not ask')
  if (![`127.0.0.1:${port}`, `localhost:${port}`].includes(headers.host ?? ''))
    throw new Refusal(403, `Ask 127.0.0.1:${port}`)
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.byteLength
    if (bytes > mostBytes) throw new Refusal(413, `A question has at most ${mostBytes} bytes`)
    parts.push(part)
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString())
  } catch {
    throw new Refusal(400, 'The body is not JSON')
  }
}

function refuse(response: ServerResponse, error: unknown) {
  if (response.headersSent) return response.destroy()
  const status = error instanceof Refusal ? error.status : isApiError(error, 'unauthenticated') ? 401 : 502
  const message = messageOf(error)
  return response
    .writeHead(status, {
      'content-type': 'application/json',
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
      // The rest of a body that is too large is not read.
      ...(status === 413 && { connection: 'close' }),
    })
    .end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }))
}
