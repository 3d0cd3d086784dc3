import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { BffConfig } from './bff-config.ts'
import { passPage } from './pass-page.ts'
import type { PlatformClient } from './platform-client.ts'
import { Refusal } from './refusal.ts'
import { isSameOrigin } from './same-origin.ts'
import { keylessLimits } from '#server-kit/keyless-requests.ts'
import { checkoutPath, webhookPath } from '#contract/credits.ts'

/** The format of the platform's payment ids: unguessable, and without characters that could form another path. */
const sessionId = /^cs_local_[\w-]{40,64}$/

/**
 * The two payment routes, so that a platform on loopback needs no public address: the provider's notices, forwarded
 * byte for byte, and the local payment page. Both are independent of sessions and neither read nor set cookies.
 */
export function servePayments(app: FastifyInstance, config: BffConfig, platform: PlatformClient) {
  app.post(webhookPath, { bodyLimit: keylessLimits.noticeBytes }, (request, reply) =>
    passPage(platform, request, reply, {
      path: webhookPath,
      headers: pick(request, ['content-type', 'stripe-signature']),
      body: request.body as Buffer | undefined,
    }),
  )
  app.route<{ Params: { id: string } }>({
    method: ['GET', 'POST'],
    url: `${checkoutPath}:id`,
    handler: (request, reply) => {
      const { id } = request.params
      if (!sessionId.test(id)) throw new Refusal('not_found', 'Payment not found')
      if (request.method === 'POST' && !isSameOrigin(request, config))
        throw new Refusal('permission_denied', 'This payment must be submitted from its own page')
      return passPage(platform, request, reply, { path: checkoutPath + id, headers: pick(request, ['accept']) })
    },
  })
}

const pick = ({ headers }: FastifyRequest, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])))
