import type { IncomingMessage } from 'node:http'

import type { ProviderName } from '#platform/ground/models/providers.ts'
import { isKnownProvider } from '#platform/ground/models/providers.ts'
import { wireFormats } from '#platform/engine/model-gateway/formats/all-formats.ts'
import type { Refusal, Route, WireFormat } from '#platform/engine/model-gateway/formats/wire-format.ts'
import type { BodyMemory, FullMemory } from './body-memory.ts'
import { readRequestBody } from './read-request.ts'

/** A call that the gateway itself answers, with an error. */
export class CallRefusal extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal, message: string) {
    super(message)
    this.name = 'CallRefusal'
    this.refusal = refusal
  }
}

/** A call that the worker cannot take now, because of the calls of other runs. Its run is not to blame. */
export class WorkerBusy extends CallRefusal {
  constructor(message: string) {
    super('busy', message)
    this.name = 'WorkerBusy'
  }
}

export type Target = { provider: ProviderName; format: WireFormat; path: string; query: URLSearchParams }

/** Reads the provider, path and query of a request. Null if it is for no provider. */
export function readTarget(url: string): Target | null {
  const [, provider = '', path = '', search = ''] = /^\/([a-z]+)(\/[^?#]*)?(?:\?([^#]*))?$/.exec(url) ?? []
  if (!isKnownProvider(provider)) return null
  return { provider, format: wireFormats[provider], path, query: new URLSearchParams(search) }
}

/** The query that passes to the provider, without the token. */
export function passedQuery({ format, query }: Target): string {
  const unknown = [...query.keys()].find((name) => name !== 'key' && !format.query.includes(name))
  if (unknown !== undefined) throw new CallRefusal('invalid', `The query parameter ${unknown} is not supported here`)
  query.delete('key')
  const passed = query.toString()
  return passed === '' ? '' : `?${passed}`
}

const maxBodyBytes = 32 * 1024 * 1024

/** How fast a body must arrive. Its sender is on the same machine, and what has arrived occupies memory that others need. */
export type BodyPace = { firstMs: number; bytesPerSecond: number; checkMs: number }

const usualPace: BodyPace = { firstMs: 15_000, bytesPerSecond: 1024 * 1024, checkMs: 1000 }

/** A request body. `release` is for the end of the call, which keeps the body until then. */
type HeldBody = { bytes: Buffer; release: () => void }

/**
 * Reads a request body. Refuses it as soon as it is known to be too large or arrives too slowly, without reading the
 * rest.
 */
export async function readBody(
  request: IncomingMessage,
  memory: BodyMemory,
  pace: BodyPace = usualPace,
): Promise<HeldBody> {
  const tooLarge = new CallRefusal('too-large', `A request can have at most ${maxBodyBytes / 1024 ** 2} MiB`)
  if (request.headers['content-encoding'] !== undefined)
    throw new CallRefusal('invalid', 'Compressed requests are not supported here')
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge
  const chunks: Buffer[] = []
  let bytes = 0
  const parts: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false })
  const watch = watchPace(pace, () => bytes)
  try {
    // A destroyed request would take the connection with it, and with that the answer.
    for (;;) {
      const next = await Promise.race([parts.next(), watch.tooSlow])
      if (next.done) break
      const chunk = next.value
      if (bytes + chunk.byteLength > maxBodyBytes) throw tooLarge
      const full = memory.take(chunk.byteLength)
      if (full !== null) throw noRoom(full)
      bytes += chunk.byteLength
      chunks.push(chunk)
    }
  } catch (error) {
    memory.free(bytes)
    if (error instanceof CallRefusal) throw error
    throw new CallRefusal('invalid', 'The agent ended the request before it was complete')
  } finally {
    watch.end()
  }
  return { bytes: Buffer.concat(chunks), release: () => memory.free(bytes) }
}

function noRoom(full: FullMemory): CallRefusal {
  const use = 'use too much memory together; try again later'
  if (full === 'run') return new CallRefusal('busy', `The requests in progress of this run ${use}`)
  return new WorkerBusy(
    full === 'organization'
      ? `The requests in progress of this organization’s runs on the worker ${use}`
      : `The requests in progress of all runs on the worker ${use}`,
  )
}

/** `tooSlow` rejects once fewer bytes have arrived than the pace asks for. */
function watchPace({ firstMs, bytesPerSecond, checkMs }: BodyPace, arrived: () => number) {
  const startedAt = performance.now()
  const slow = Promise.withResolvers<never>()
  // The body may end, or be refused, before it is too slow.
  slow.promise.catch(() => {})
  const timer = setInterval(() => {
    const expected = ((performance.now() - startedAt - firstMs) / 1000) * bytesPerSecond
    if (expected > arrived()) slow.reject(new CallRefusal('too-slow', 'The request arrived too slowly; send it again'))
  }, checkMs)
  return { tooSlow: slow.promise, end: () => clearInterval(timer) }
}

/** The question of a call: the model that it names, and its body as the gateway understands it. */
export type Question = { model: string; body: Readonly<Record<string, unknown>>; bytes: Buffer }

/** Reads the model from the path or the body. If both name one, they must agree. */
export function readQuestion({ model: inPath }: Route, bytes: Buffer): Question {
  const read = readRequestBody(bytes)
  if (!read.body) throw new CallRefusal('invalid', read.refusal)
  const { body } = read
  const named = body['model']
  if (inPath === undefined) {
    if (typeof named !== 'string') throw new CallRefusal('invalid', 'The request does not name a model')
    return { model: named, body, bytes }
  }
  if (named !== undefined && named !== inPath && named !== `models/${inPath}`)
    throw new CallRefusal('invalid', 'The path and the body of the request name different models')
  return { model: inPath, body, bytes }
}
