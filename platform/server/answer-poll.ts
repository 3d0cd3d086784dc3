import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Context, Services, PolledContext } from '#platform/context/context.ts'
import { keepAnswers } from '#platform/polling/keep-answers.ts'
import { watchChanges } from '#platform/polling/watch-changes.ts'
import { isWorthCompressing, takesGzip } from '#platform/http/compress-large.ts'
import type { PolledRoute } from '#platform/context/serve.ts'
import { takeTurns } from '#platform/http/take-turns.ts'

/** Serves routes that pages poll. A cached response that is still current is reused for every caller who may see it. */
export function answerPolls({ db }: Pick<Services, 'db'>) {
  const changes = watchChanges(db)
  const answers = keepAnswers()
  const turn = takeTurns()

  return async (route: PolledRoute, context: Context, input: Record<string, unknown>) => {
    const { organization } = context
    const version = await changes.versionOf(organization.id, route.topicOf(input))
    await turn()
    const { caller: _, ...shared } = context
    const key = JSON.stringify([route.endpoint.name, organization.id, organization.role, input])
    return answers(key, version, async () => {
      const result = await route.verb({ ...shared, version } satisfies PolledContext, input)
      return JSON.stringify(route.endpoint.response.parse(result))
    })
  }
}

type Answer = Awaited<ReturnType<ReturnType<typeof answerPolls>>>

/** Sends 304 if the client already has the response. Compresses it once for all clients. */
export async function sendAnswer(request: FastifyRequest, reply: FastifyReply, { text, etag, gzipped }: Answer) {
  void reply.header('etag', etag)
  if (request.headers['if-none-match'] === etag) return reply.status(304).send()
  void reply.type('application/json; charset=utf-8')
  if (!isWorthCompressing(text) || !takesGzip(request.headers)) return reply.send(text)
  return reply.headers({ 'content-encoding': 'gzip', vary: 'accept-encoding' }).send(await gzipped())
}
