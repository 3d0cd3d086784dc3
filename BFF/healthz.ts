import type { FastifyInstance } from 'fastify'

import type { PlatformClient } from './platform-client.ts'
import type { ServiceHealth } from '#contract/session.ts'

/** How long a health response of the platform is reused, in milliseconds. Every open page polls once a second. */
const freshMs = 250

/** The health of this process. It reports the platform's state, but stays healthy while the platform is down. */
export function serveHealth(app: FastifyInstance, platform: PlatformClient) {
  let asked: Promise<boolean> | undefined
  const platformAnswers = () => {
    if (asked) return asked
    asked = platform.answers()
    void asked.then(() => setTimeout(() => (asked = undefined), freshMs).unref())
    return asked
  }

  app.get('/healthz', async (_request, reply): Promise<ServiceHealth> => {
    reply.header('cache-control', 'no-store')
    return { status: 'ok', platform: (await platformAnswers()) ? 'ok' : 'unavailable' }
  })
}
