import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { ErrorBody } from '#contract/errors.ts'
import { createMethodTable, wrongMethod } from '#contract/wire/method-table.ts'

/**
 * Answers what no route serves, before a byte of its body is read: 405 with `Allow` where the path takes other methods,
 * else 404. It must be added before the routes it knows of.
 */
export function answerUnknownRoutes(app: FastifyInstance) {
  const table = createMethodTable()
  app.addHook('onRoute', ({ method, url }) => table.add(method, url))
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    const [path = ''] = request.url.split('?')
    const allowed = table.allowed(path)
    const isKnown = allowed.length > 0
    const body: ErrorBody = {
      error: isKnown ? 'invalid_argument' : 'not_found',
      message: isKnown ? wrongMethod(request.method, path, allowed) : `No route ${request.method} ${path}`,
      requestId: request.id,
    }
    if (isKnown) void reply.header('allow', allowed.join(', '))
    return reply.status(isKnown ? 405 : 404).send(body)
  }
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) return answer(request, reply)
  })
  app.setNotFoundHandler(answer)
}
