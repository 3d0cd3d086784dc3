import type { FastifyInstance } from 'fastify'

import { limitByAddress } from './address-limit.ts'
import { passPage } from './pass-page.ts'
import type { PlatformClient } from './platform-client.ts'
import { mailToken, unsubscribePath } from '#contract/mail.ts'

/** Mail programs of many people may share an address. */
const requestsPerMinute = 300

/**
 * The platform's page that ends some emails. It needs no session, and neither reads nor sets cookies: mail programs write
 * to it by themselves (RFC 8058), and its token is the only proof.
 */
export function serveUnsubscribe(app: FastifyInstance, platform: PlatformClient) {
  const limitRequests = limitByAddress(app, { max: requestsPerMinute, tooMany: 'Too many requests to unsubscribe' })
  app.route<{ Params: { token: string } }>({
    method: ['GET', 'POST'],
    url: unsubscribePath(':token'),
    handler: async (request, reply) => {
      await limitRequests(request)
      const { token } = request.params
      // The platform has the page for a link that is cut off, and reads no body here.
      const path = unsubscribePath(mailToken.test(token) ? token : 'unknown')
      return passPage(platform, request, reply, { path, headers: {} })
    },
  })
}
