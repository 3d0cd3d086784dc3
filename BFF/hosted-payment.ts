import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { BffConfig } from './bff-config.ts'
import { type PlatformClient, platformUnavailable } from './platform-client.ts'
import { Refusal } from './refusal.ts'
import { isSameOrigin } from './same-origin.ts'
import { checkoutPath, webhookPath } from '#contract/credits.ts'
import { splitOrganizationPath } from '#contract/organization-path.ts'

const noticeLimit = 1024 * 1024

/** The format of the platform's payment ids: unguessable, and without characters that could form another path. */
const sessionId = /^cs_local_[\w-]{40,64}$/

/**
 * The two payment routes, so that a platform on loopback needs no public address: the provider's notices, forwarded
 * byte for byte, and the local payment page. Both are independent of sessions and neither read nor set cookies.
 */
export function servePayments(app: FastifyInstance, config: BffConfig, platform: PlatformClient) {
  app.post(webhookPath, { bodyLimit: noticeLimit }, (request, reply) =>
    pass(platform, request, reply, { path: webhookPath, headers: pick(request, ['content-type', 'stripe-signature']) }),
  )
  app.route<{ Params: { id: string } }>({
    method: ['GET', 'POST'],
    url: `${checkoutPath}:id`,
    handler: (request, reply) => {
      const { id } = request.params
      if (!sessionId.test(id)) throw new Refusal('not_found', 'Payment not found')
      if (request.method === 'POST' && !isSameOrigin(request, config))
        throw new Refusal('permission_denied', 'This payment must be submitted from its own page')
      return pass(platform, request, reply, { path: checkoutPath + id, headers: pick(request, ['accept']) })
    },
  })
}

const pick = ({ headers }: FastifyRequest, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])))

const isCreditsPage = (location: string) =>
  location.startsWith('/') && /^\/credits(?=\?|$)/.test(splitOrganizationPath(location).rest)

type Passed = { path: string; headers: Record<string, string | string[] | undefined> }

async function pass(platform: PlatformClient, request: FastifyRequest, reply: FastifyReply, { path, headers }: Passed) {
  const response = await platform.pool
    .request({
      method: request.method === 'POST' ? 'POST' : 'GET',
      path: platform.rootPath(path),
      headers: { ...headers, 'x-request-id': request.id },
      body: path === webhookPath ? (request.body as Buffer | undefined) : undefined,
    })
    .catch((error: Error) => {
      request.log.warn({ err: error }, 'platform request failed')
      throw platformUnavailable()
    })
  const { location, 'content-type': type, 'content-security-policy': policy } = response.headers
  return reply
    .code(response.statusCode)
    .headers({
      'cache-control': 'no-store',
      // Without a policy, a browser sends the origin `null` for the page's own form.
      'referrer-policy': 'same-origin',
      ...(type && { 'content-type': type }),
      ...(policy && { 'content-security-policy': policy }),
      // Only pages of this app are allowed.
      ...(typeof location === 'string' && isCreditsPage(location) && { location }),
    })
    .send(response.body)
}
