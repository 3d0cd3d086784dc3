import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { rawQuery, rebuildPath } from '#bff/api-path.ts'
import { headersForBrowser, headersForPlatform } from '#bff/forwarded-headers.ts'
import { type PlatformClient, platformUnavailable } from '#bff/platform-client.ts'
import { Refusal } from '#bff/refusal.ts'
import { clearSessionCookie, readSessionId } from '#bff/session-cookie.ts'
import type { Sessions } from '#bff/sessions.ts'
import { allEndpoints } from '#contract/all-endpoints.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { backgroundHeader } from '#contract/session.ts'
import { limits } from '#contract/wire/limit.ts'

/** A bit over the platform's own limit, so that its message is the one people read. */
const bodyLimit = limits.bodyBytes + 64 * 1024

/** The contract's routes and no others, sent on with the session's key. */
export function serveApi(app: FastifyInstance, platform: PlatformClient, sessions: Sessions) {
  for (const endpoint of allEndpoints) {
    app.route({
      method: endpoint.method,
      url: `/api/v1${endpoint.path}`,
      bodyLimit,
      handler: (request, reply) => forward(endpoint, request, reply, platform, sessions),
    })
  }
}

async function forward(
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  platform: PlatformClient,
  sessions: Sessions,
) {
  const sessionId = readSessionId(request)
  const apiKey = sessions.findKey(sessionId, { isBackground: request.headers[backgroundHeader] !== undefined })
  if (!apiKey) throw new Refusal('unauthenticated', 'Sign in first')

  const hangUp = hangUpOf(reply)
  const path = rebuildPath(endpoint.path, request.params as Record<string, string>)
  const answer = await platform.pool
    .request({
      method: endpoint.method,
      path: platform.apiPath(path) + rawQuery(request.raw.url ?? ''),
      headers: headersForPlatform(request.headers, request.id, apiKey),
      body: request.body as Buffer | undefined,
      signal: hangUp,
    })
    .catch((error: Error) => {
      if (!hangUp.aborted) request.log.warn({ err: error }, 'platform request failed')
      throw platformUnavailable()
    })

  if (answer.statusCode === 401) {
    // The key was revoked: the session that held it is over too.
    sessions.end(sessionId)
    clearSessionCookie(reply)
  }
  return reply.code(answer.statusCode).headers(headersForBrowser(answer.headers)).send(answer.body)
}

/** Not `request.signal`: that one also fires when a request's body has been read to its end. */
function hangUpOf(reply: FastifyReply) {
  const hangUp = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) hangUp.abort()
  })
  return hangUp.signal
}
