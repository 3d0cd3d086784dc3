import { randomUUID } from 'node:crypto'
import type { Writable } from 'node:stream'

import fastifyCookie from '@fastify/cookie'
import fastifyRateLimit from '@fastify/rate-limit'
import fastify, { LogController } from 'fastify'

import { serveApi } from './api-proxy.ts'
import type { Config } from './config.ts'
import { connectionOptions, defaultConnectionLimits, limitConnections } from './connection-limits.ts'
import { isEmbedPath, sendNoPublication, serveEmbed } from './embed.ts'
import { serveHealth } from './healthz.ts'
import { refuseUnknownHosts } from './known-host.ts'
import { servePayments } from './hosted-payment.ts'
import { serveProviderSignIn } from '#bff/oidc/provider-routes.ts'
import { refuseWrongMethods } from './method-table.ts'
import { connectPlatform } from './platform-client.ts'
import { answerErrors, sendError } from './refusal.ts'
import { requireSameOrigin } from './same-origin.ts'
import { securityHeaders, setSecurityHeaders } from './security-headers.ts'
import { serveSession } from './session-routes.ts'
import { createSessions } from './sessions.ts'
import { serveApp } from './static-app.ts'

const sessionBodyLimit = 16 * 1024

/** Test names and composite ids are long; the router's default limit of 100 characters would reject them. */
const maxParamLength = 4096

/** Builds the whole BFF. It opens no port: the caller listens on it or injects requests. */
export async function buildBff(config: Config, logStream?: Writable, limits = defaultConnectionLimits) {
  const app = fastify({
    ...connectionOptions(limits),
    // Without a stream, pino opens the log itself and blocks the whole process while its disk is full.
    logger: { level: config.logLevel, redact: redactedPaths, stream: logStream ?? process.stdout },
    logController: new LogController({ disableRequestLogging: true }),
    // The framework rejects a malformed URL before any hook runs.
    frameworkErrors: (error, request, reply) => {
      reply.headers(securityHeaders(config))
      if (isEmbedPath(request.url)) sendNoPublication(reply)
      else sendError(error, request, reply)
    },
    genReqId: () => randomUUID(),
    bodyLimit: sessionBodyLimit,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    routerOptions: { maxParamLength },
    // Behind a TLS proxy on this machine, the forwarded address is the caller's.
    trustProxy: config.publicUrl ? 'loopback' : false,
  })
  const platform = connectPlatform(config)
  const sessions = createSessions(config, (err) => app.log.warn({ err }, 'a session file could not be read or written'))
  app.addHook('onClose', () => platform.pool.destroy())

  // Bodies pass through unparsed; only the session routes parse theirs.
  app.removeAllContentTypeParsers()
  app.addHook('onRequest', async ({ raw }) => {
    // An empty header counts as missing; the framework would reject the request.
    if (raw.headers['content-type']?.trim() === '') delete raw.headers['content-type']
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  limitConnections(app, limits)
  answerErrors(app)
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
    const { oidc } = config
    if (oidc) withCookies.register(async (scope) => serveProviderSignIn(scope, oidc, config, platform, sessions))
    withCookies.register(async (scope) => serveApi(scope, platform, sessions))
  })
  app.register(async (scope) => serveEmbed(scope, config, platform))
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
