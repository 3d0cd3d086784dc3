import type { FastifyInstance, FastifyRequest } from 'fastify'

import { writeHeader } from '#contract/session.ts'
import { unsubscribePath } from '#contract/mail.ts'
import { checkoutPath, webhookPath } from '#contract/credits.ts'
import type { BffConfig } from './bff-config.ts'
import { appOrigin } from './request-origin.ts'
import { readSentKey } from './sent-key.ts'
import { Refusal } from './refusal.ts'

/**
 * Routes that a payment provider, a mail program or an HTML form writes to, which cannot send the app's header. They do
 * their own checks.
 */
const isWrittenByOthers = (path: string) =>
  path === webhookPath || path.startsWith(checkoutPath) || path.startsWith(unsubscribePath(''))

const isApi = (path: string) => /^\/(api|admin)\/v1\//.test(path)

const reads = new Set(['GET', 'HEAD'])

/**
 * Every write needs two proofs that it comes from this app: a header that no form can set, and the origin the browser
 * reports.
 */
export function requireSameOrigin(app: FastifyInstance, config: BffConfig) {
  app.addHook('onRequest', async (request) => {
    const path = request.routeOptions.url ?? ''
    if (reads.has(request.method) || isWrittenByOthers(path)) return
    // No page of another site can send it, and the API then uses no cookie.
    if (isApi(path) && readSentKey(request) !== undefined) return
    if (request.headers[writeHeader] && isSameOrigin(request, config)) return
    throw new Refusal('permission_denied', 'This write did not come from the app itself')
  })
}

export function isSameOrigin(request: FastifyRequest, config: BffConfig) {
  const site = request.headers['sec-fetch-site']
  const { origin } = request.headers
  if (site !== undefined && site !== 'same-origin') return false
  if (origin !== undefined && origin !== appOrigin(request, config)) return false
  return site !== undefined || origin !== undefined
}
