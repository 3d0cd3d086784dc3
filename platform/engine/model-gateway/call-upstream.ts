import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'

import { type Dispatcher, request } from 'undici'

import type { WireFormat } from '#platform/engine/model-gateway/formats/wire-format.ts'
import type { Upstream } from './model-access.ts'

/**
 * Who can change it: the provider, the operator whose key was refused, the author of the definition, or the worker, which
 * had no room for the call.
 */
export type UpstreamBlame = 'provider' | 'operator' | 'definition' | 'worker'

/** Why no usable answer came, in words for the run page. */
export type ModelOutage = { reason: string; blame: UpstreamBlame }

/** The error of an answer that ended too early. */
export const cutOff = 'The answer was cut off before its end'

/** A reason why the provider gave no usable answer, for the client and the run page. */
export class UpstreamFailure extends Error {
  readonly blame: UpstreamBlame

  constructor(reason: string, { cause, blame = 'provider' }: { cause?: unknown; blame?: UpstreamBlame } = {}) {
    super(reason, { cause })
    this.name = 'UpstreamFailure'
    this.blame = blame
  }
}

/** Long reasoning sends nothing for minutes. */
const silenceMs = 15 * 60_000

const passedHeaders =
  /^(accept|accept-language|content-type|user-agent|x-stainless-.+|x-client-request-id|idempotency-key)$/

type UpstreamCall = {
  format: WireFormat
  upstream: Upstream
  url: string
  method: string
  headers: IncomingHttpHeaders
  body: Buffer | undefined
  dispatcher: Dispatcher
  signal: AbortSignal
}

export type UpstreamAnswer = { status: number; headers: IncomingHttpHeaders; body: Readable }

/** Sends a call to its provider with the real key. The body of the answer is not compressed. */
export async function callUpstream(call: UpstreamCall): Promise<UpstreamAnswer> {
  const { url, method, body, dispatcher, signal, upstream } = call
  const answer = await request(url, {
    method: method === 'GET' ? 'GET' : 'POST',
    headers: upstreamHeaders(call),
    body: body ?? null,
    dispatcher,
    signal,
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  }).catch((error: unknown) => {
    throw new UpstreamFailure(`The model server could not be reached: ${reasonOf(error)}`, { cause: error })
  })
  const { statusCode: status, headers } = answer
  if (status >= 300 && status < 400) {
    answer.body.on('error', () => {}).destroy()
    // The next address could be anywhere, and would receive the key.
    throw new UpstreamFailure(`The model server answered ${status} with a redirect, which is not followed`, {
      blame: upstream.baseUrl === null ? 'provider' : 'definition',
    })
  }
  return { status, headers, body: decoded(answer.body, headers['content-encoding']) }
}

function upstreamHeaders({ format, upstream, headers }: UpstreamCall) {
  const passed = Object.entries(headers).filter(
    ([name, value]) => typeof value === 'string' && (passedHeaders.test(name) || format.headers.test(name)),
  )
  return {
    ...Object.fromEntries(passed),
    'accept-encoding': 'identity',
    ...format.keyHeaders(upstream.key, upstream.isBearer),
  }
}

const decoders: Record<string, () => NodeJS.ReadWriteStream> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
  zstd: createZstdDecompress,
}

/** Some servers compress although the request asks them not to. */
function decoded(body: Readable, encoding: string | string[] | undefined): Readable {
  const name = String(encoding ?? 'identity').toLowerCase()
  if (name === 'identity') return body
  const decoder = decoders[name]?.()
  if (!decoder) {
    body.on('error', () => {}).destroy()
    throw new UpstreamFailure(`The model server answered in the unknown encoding ${name}`)
  }
  body.on('error', (error) => (decoder as unknown as Readable).destroy(error))
  return body.pipe(decoder) as unknown as Readable
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'HeadersTimeoutError') return 'it did not answer in time'
  const code = 'code' in error ? String(error.code) : ''
  return error.message || code || error.name
}
