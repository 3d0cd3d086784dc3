import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'

import { exhausted } from '#platform/failures/failure.ts'
import { fastestGzip, takesGzip } from './compress-large.ts'
import type { WrittenBody } from '#platform/context/written-body.ts'

const mebibyte = 1024 ** 2

/** Smaller bodies are sent as any other text: with an entity tag, and compressed at once. */
const largeBytes = 64 * 1024

/** Bodies that clients have yet to take in: of everybody, and of one receiver, such as an organization, which so leaves room for others. */
const maxBytes = { ofAll: 128 * mebibyte, ofReceiver: 48 * mebibyte }

/** A whole body over one megabit a second. Who reads more slowly would keep room that others wait for. */
const downloadMs = 120_000

let bytesOfAll = 0
const bytesOf = new Map<string, number>()

/** Sends a body piece by piece, so that a large one never holds up this process. Throws `resource_exhausted` when too much is on its way. */
export function sendWritten(
  reply: FastifyReply,
  receiver: string,
  body: WrittenBody<unknown>,
  maxMs = downloadMs,
): FastifyReply {
  void reply.type('application/json; charset=utf-8')
  const parts = body.toParts()
  const bytes = parts.reduce((sum, part) => sum + part.length, 0)
  if (bytes < largeBytes) return reply.send(Buffer.concat(parts).toString())
  // Whoever asked has gone: nothing will say so again, and room that is taken now would never be free.
  if (reply.raw.destroyed) return reply.send('')
  reserve(receiver, bytes)
  const tooSlow = setTimeout(() => reply.raw.destroy(), maxMs).unref()
  reply.raw.once('close', () => {
    clearTimeout(tooSlow)
    release(receiver, bytes)
  })
  const stream = Readable.from(parts, { objectMode: false })
  void reply.header('vary', 'accept-encoding')
  if (!takesGzip(reply.request.headers)) return reply.header('content-length', bytes).send(stream)
  return reply.header('content-encoding', 'gzip').send(stream.pipe(createGzip(fastestGzip)))
}

function reserve(receiver: string, bytes: number) {
  const ofReceiver = (bytesOf.get(receiver) ?? 0) + bytes
  if (ofReceiver > maxBytes.ofReceiver || bytesOfAll + bytes > maxBytes.ofAll)
    throw exhausted('Too many large results are being downloaded; try again in a moment')
  bytesOf.set(receiver, ofReceiver)
  bytesOfAll += bytes
}

function release(receiver: string, bytes: number) {
  const left = (bytesOf.get(receiver) ?? 0) - bytes
  if (left > 0) bytesOf.set(receiver, left)
  else bytesOf.delete(receiver)
  bytesOfAll -= bytes
}
