import { randomUUID } from 'node:crypto'
import type { Writable } from 'node:stream'
import fastifyCookie from '@fastify/cookie'
import fastifyRateLimit from '@fastify/rate-limit'
import fastify, { LogController, type FastifyInstance, type FastifyRequest } from 'fastify'

import { serveProviderSignIn } from '#bff/oidc/provider-routes.ts'
import type { ServiceHealth } from '#contract/session.ts'
import { limitConnections } from '#server-kit/limit-connections.ts'
import { describeFault } from '#server-kit/log-fault.ts'
import { boundedLog } from '#server-kit/bounded-log.ts'
import { keylessLimits } from '#server-kit/keyless-requests.ts'
import { createMethodTable, wrongMethod } from '#server-kit/method-table.ts'
import { withoutJsonSchemas } from '#contract/wire/without-json-schemas.ts'
import { serveApi } from './api-proxy.ts'
import type { BffConfig } from './bff-config.ts'
import {
  type ConnectionLimits,
  connectionOptions,
  defaultConnectionLimits,
  limitKeylessBodies,
} from './browser-connections.ts'
import { isEmbedPath, sendNoPublication, serveEmbed } from './embed.ts'
import { refuseUnknownHosts } from './request-origin.ts'
import { serveInvitations } from './invitation-routes.ts'
import { servePayments } from './hosted-payment.ts'
import { openSessions } from './open-sessions.ts'
import { connectPlatform, type PlatformClient, type PlatformLimits } from './platform-client.ts'
import { addErrorHandler, sendError, Refusal } from './refusal.ts'
import { requireSameOrigin } from './same-origin.ts'
import { securityHeaders, setSecurityHeaders } from './security-headers.ts'
import { serveSession } from './session-routes.ts'
import { serveDefinitionSchema } from './definition-schema.ts'
import { serveUnsubscribe } from './unsubscribe.ts'
import { serveApp } from './static-app.ts'

/** How long a health response of the platform is reused, in milliseconds. Every open page polls once a second. */
const freshMs = 250

/** The health of this process. It reports the platform's state, but stays healthy while the platform is down. */
function serveHealth(app: FastifyInstance, platform: PlatformClient) {
  let pending: Promise<boolean> | undefined
  const platformAnswers = () => {
    if (pending) return pending
    pending = platform.isHealthy()
    void pending.then(() => setTimeout(() => (pending = undefined), freshMs).unref())
    return pending
  }

  app.get('/healthz', { exposeHeadRoute: true }, async (_request, reply): Promise<ServiceHealth> => {
    reply.header('cache-control', 'no-store')
    return { status: 'ok', platform: (await platformAnswers()) ? 'ok' : 'unavailable' }
  })
}

/** Test names and composite ids are long; the router's default limit of 100 characters would reject them. */
const maxParamLength = 4096

export type BffLimits = ConnectionLimits & { platform?: PlatformLimits }

/** Builds the whole BFF. It opens no port: the caller listens on it or injects requests. */
export async function buildBff(config: BffConfig, logStream?: Writable, limits: BffLimits = defaultConnectionLimits) {
  const app = fastify({
    ...connectionOptions(limits),
    // Without a stream, pino opens the log itself and blocks the whole process while its disk is full.
    logger: {
      level: config.logLevel,
      hooks: { logMethod: boundedLog() },
      redact: redactedPaths,
      serializers: { err: describeFault },
      stream: logStream ?? process.stdout,
    },
    logController: new LogController({ disableRequestLogging: true }),
    // The framework rejects a malformed URL before any hook runs.
    frameworkErrors: (error, request, reply) => {
      reply.headers(securityHeaders(config))
      if (isEmbedPath(request.url)) sendNoPublication(request, reply)
      else sendError(error, request, reply)
    },
    genReqId: () => randomUUID(),
    bodyLimit: keylessLimits.bodyBytes,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    routerOptions: { maxParamLength },
    schemaController: withoutJsonSchemas,
    // The address that a proxy forwards is the caller's. With a public address, the proxy is on this machine or named.
    trustProxy: [...(config.publicUrl ? ['loopback'] : []), ...config.trustedProxies],
  })
  const platform = connectPlatform(config, limits.platform)
  const signIns = await openSessions(config, (err) => app.log.warn({ err }, 'a session could not be read or written'))
  const { sessions } = signIns
  app.addHook('onClose', async () => {
    await platform.close()
    await signIns.close()
  })

  // Bodies pass through unparsed; only the session routes parse theirs.
  app.removeAllContentTypeParsers()
  app.addHook('onRequest', async ({ raw }) => {
    // An empty header counts as missing; the framework would reject the request.
    if (raw.headers['content-type']?.trim() === '') delete raw.headers['content-type']
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  limitConnections(app, limits)
  limitKeylessBodies(app, limits)
  addErrorHandler(app)
  setSecurityHeaders(app, config)
  refuseUnknownHosts(app, config)
  requireSameOrigin(app, config)

  const refuseWrongMethod = refuseWrongMethods(app)
  serveHealth(app, platform)
  app.register(fastifyRateLimit, { global: false })
  // Only these routes read or set cookies; published insights do not.
  app.register(async (withCookies) => {
    await withCookies.register(fastifyCookie)
    withCookies.register(async (scope) => serveSession(scope, config, platform, sessions))
    withCookies.register(async (scope) => serveInvitations(scope, platform))
    const { oidc } = config
    if (oidc) withCookies.register(async (scope) => serveProviderSignIn(scope, oidc, config, platform, signIns))
    withCookies.register(async (scope) => serveApi(scope, platform, sessions))
  })
  serveDefinitionSchema(app)
  app.register(async (scope) => serveEmbed(scope, config, platform))
  app.register(async (scope) => serveUnsubscribe(scope, platform))
  servePayments(app, config, platform)
  await serveApp(app, config, refuseWrongMethod)
  return app
}

/** Nothing logs these today. A later log line must not leak them. */
const redactedPaths = [
  'apiKey',
  '*.apiKey',
  'headers.authorization',
  '*.headers.authorization',
  'headers.cookie',
  '*.headers.cookie',
  '*.headers["set-cookie"]',
]

/** Records every route added after it, and returns 405 for a method that a known path does not accept. */
function refuseWrongMethods(app: FastifyInstance) {
  const table = createMethodTable()
  app.addHook('onRoute', ({ method, url }) => {
    // The built app is served under any path, but only with its existing files.
    if (url !== '/*') table.add(method, url)
  })
  return ({ method, url }: FastifyRequest) => {
    const [path = ''] = url.split('?')
    const allowed = table.allowed(path)
    if (allowed.length === 0 || allowed.includes(method)) return
    throw new Refusal('invalid_argument', wrongMethod(method, path, allowed), { allow: allowed.join(', ') }, 405)
  }
}
