import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { ErrorBody } from '#contract/errors.ts'
import { createMethodTable, wrongMethod } from '#server-kit/method-table.ts'

/**
 * Answers requests without a route before any of their body is read: 405 with `Allow` where the path has other methods,
 * else 404. Add it before the routes, so that it learns of them.
 */
export function handleUnknownRoutes(app: FastifyInstance) {
  const table = createMethodTable()
  app.addHook('onRoute', ({ method, url }) => table.add(method, url))
  const response = (request: FastifyRequest, reply: FastifyReply) => {
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
    if (request.is404) return response(request, reply)
  })
  app.setNotFoundHandler(response)
}
