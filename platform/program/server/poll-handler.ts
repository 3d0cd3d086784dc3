import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Context, Services, PolledContext } from '#platform/ground/context/context.ts'
import { createResponseCache } from '#platform/ground/polling/response-cache.ts'
import { watchChanges } from '#platform/ground/polling/watch-changes.ts'
import { isWorthCompressing, acceptsGzip } from '#platform/ground/http/compress-large.ts'
import { SerializedBody } from '#platform/ground/routes/serialized-body.ts'
import type { PolledRoute } from '#platform/ground/routes/serve.ts'
import { writeInTurns } from '#platform/ground/http/write-in-turns.ts'
import { createTurnQueue } from '#platform/ground/http/turn-queue.ts'

/** Serves routes that pages poll. A cached response that is still current is reused for every caller who may see it. */
export function createPollHandler({ db }: Pick<Services, 'db'>) {
  const changes = watchChanges(db)
  const answers = createResponseCache()
  const turn = createTurnQueue()

  return async (route: PolledRoute, context: Context, input: Record<string, unknown>) => {
    const { organization } = context
    const version = await changes.versionOf(organization.id, route.topicOf(input))
    await turn()
    const { caller: _, ...shared } = context
    const key = JSON.stringify([route.endpoint.name, organization.id, organization.role, input])
    return answers(key, version, async () => {
      const result = await route.verb({ ...shared, version } satisfies PolledContext, input)
      if (result instanceof SerializedBody) return Buffer.concat(result.toParts())
      return writeInTurns(route.endpoint.response, result)
    })
  }
}

type PollResponse = Awaited<ReturnType<ReturnType<typeof createPollHandler>>>

/** Sends 304 if the client already has the response. Compresses it once for all clients. */
export async function sendPollResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag, gzipped }: PollResponse,
) {
  void reply.header('etag', etag)
  if (request.headers['if-none-match'] === etag) return reply.status(304).send()
  void reply.type('application/json; charset=utf-8')
  if (!isWorthCompressing(bytes) || !acceptsGzip(request.headers)) return reply.send(bytes)
  return reply.headers({ 'content-encoding': 'gzip', vary: 'accept-encoding' }).send(await gzipped())
}
