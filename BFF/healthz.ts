import type { FastifyInstance } from 'fastify'

import type { PlatformClient } from '#bff/platform-client.ts'

/** About this process; the platform's state is told, but does not make the BFF unhealthy. */
export function serveHealth(app: FastifyInstance, platform: PlatformClient) {
  app.get('/healthz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return { status: 'ok', platform: (await platform.answers()) ? 'ok' : 'unavailable' }
  })
}
