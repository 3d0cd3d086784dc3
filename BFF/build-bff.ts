import { randomUUID } from 'node:crypto'
import type { Writable } from 'node:stream'

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

/** Test names and composite ids run long; the router's default of 100 characters would refuse them. */
const maxParamLength = 4096

/** The whole BFF, ready to be listened on or injected into; it opens no port itself. */
export async function buildBff(config: Config, logStream?: Writable, limits = defaultConnectionLimits) {
  const app = fastify({
    ...connectionOptions(limits),
    // Without a stream pino opens the log itself, and stops the whole process for as long as its disk is full.
    logger: { level: config.logLevel, redact: redactedPaths, stream: logStream ?? process.stdout },
    logController: new LogController({ disableRequestLogging: true }),
    // A URL that cannot be read is refused before any hook runs.
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
    // Behind a TLS proxy on this machine, the address it forwards for is the caller's.
    trustProxy: config.publicUrl ? 'loopback' : false,
  })
  const platform = connectPlatform(config)
  const sessions = createSessions(config, (err) => app.log.warn({ err }, 'a session file could not be read or written'))
  app.addHook('onClose', () => platform.pool.destroy())

  // Bodies pass through unread; only the session reads its own.
  app.removeAllContentTypeParsers()
  app.addHook('onRequest', async ({ raw }) => {
    // An empty header counts as none; the framework would refuse the request.
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
  app.register(async (scope) => serveSession(scope, config, platform, sessions))
  const { oidc } = config
  if (oidc) app.register(async (scope) => serveProviderSignIn(scope, oidc, config, platform, sessions))
  app.register(async (scope) => serveApi(scope, platform, sessions))
  app.register(async (scope) => serveEmbed(scope, config, platform))
  servePayments(app, config, platform)
  await serveApp(app, config, refuseWrongMethod)
  return app
}

/** Nothing logs these today; a later line that does must not leak them. */
const redactedPaths = [
  'apiKey',
  '*.apiKey',
  'headers.authorization',
  '*.headers.authorization',
  'headers.cookie',
  '*.headers.cookie',
  '*.headers["set-cookie"]',
]
