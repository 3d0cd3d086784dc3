import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

import { setTimeout as delay } from 'node:timers/promises'

import etag from '@fastify/etag'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'

import { connectionOptions, limitConnections } from '#server-kit/limit-connections.ts'
import { boundedLog } from '#server-kit/bounded-log.ts'
import { limits } from '#contract/wire/limit.ts'
import { openApiDocument } from '#contract/openapi.ts'
import { storeIdKey } from '#platform/ground/blobs/blobs.ts'
import { withoutJsonSchemas } from '#contract/wire/without-json-schemas.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { addPaymentRoutes } from '#platform/inputs/credits/payments/payment-routes.ts'
import { isReachable } from '#platform/ground/database/open-database.ts'
import { httpSeconds } from '#platform/ground/metrics/metrics.ts'
import { servePublishedInsights } from '#platform/results/insights/sharing/serve-published-insights.ts'
import { serveUnsubscribe } from '#platform/people/mail/serve-unsubscribe.ts'
import { isPublicationPath, sendNoPublication, withoutToken } from '#platform/results/publications/public-paths.ts'
import { servePublishedReports } from '#platform/results/reports/sharing/serve-published-reports.ts'
import { addRoute } from './add-route.ts'
import { operatorPath } from './operator-channel.ts'
import { createPollHandler } from './poll-handler.ts'
import { auditAccess } from './audit-access.ts'
import { authenticate } from './authenticate.ts'
import { acceptBodies } from '#platform/ground/http/accept-bodies.ts'
import { compressLarge } from '#platform/ground/http/compress-large.ts'
import { type ConnectionLimits, defaultConnectionLimits } from '#platform/ground/http/connection-limits.ts'
import { noteKeyUses } from '#platform/people/identity/note-key-use.ts'
import { refuseUnknownHosts } from '#platform/ground/http/known-host.ts'
import { limitRequests } from '#platform/ground/http/limit-requests.ts'
import { describeFault } from '#server-kit/log-fault.ts'
import { sendError } from '#platform/ground/http/send-error.ts'
import type { Route } from '#platform/ground/routes/serve.ts'
import { handleUnknownRoutes } from '#platform/ground/http/unknown-routes.ts'

export type HttpOptions = {
  logger: boolean | { level: string; file?: string }
  /** Host names that are served besides loopback. */
  hosts?: readonly string[]
  /** Addresses and ranges of proxies besides loopback. */
  trustedProxies?: readonly string[]
  limits?: ConnectionLimits
}

/**
 * Builds the HTTP server of the platform: every route of the contract, the OpenAPI document, /healthz and /readyz. It does not
 * listen.
 */
export async function buildHttp(
  services: Services,
  routes: readonly Route[],
  options: HttpOptions,
): Promise<FastifyInstance> {
  const connections = options.limits ?? defaultConnectionLimits
  const app = Fastify({
    ...connectionOptions(connections),
    logger: safeLogger(options.logger),
    bodyLimit: limits.bodyBytes,
    genReqId: requestId,
    frameworkErrors: (error, request, reply) =>
      void (isPublicationPath(request.url) ? sendNoPublication(request, reply) : sendError(error, request, reply)),
    routerOptions: { maxParamLength: 2000 },
    forceCloseConnections: true,
    // The BFF and proxies forward the client's address.
    trustProxy: ['loopback', ...(options.trustedProxies ?? [])],
    schemaController: withoutJsonSchemas,
  })
  limitConnections(app, connections)
  const shares = limitRequests(app, connections, new Set([...routes.flatMap(keyedPath), openApiPath, operatorPath]))
  const access = auditAccess(app, services)
  refuseUnknownHosts(app, options.hosts ?? [])
  await app.register(etag, { weak: true })
  compressLarge(app)
  acceptBodies(app)
  app.setErrorHandler(sendError)
  handleUnknownRoutes(app)
  app.addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
    const labels = { method, route: routeOptions.url ?? 'unknown', status: String(statusCode) }
    httpSeconds.observe(labels, elapsedTime / 1000)
  })
  app.addHook('onSend', async (request, reply) => {
    void reply.header('x-request-id', request.id)
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'private, no-cache')
  })
  const answerPoll = createPollHandler(services)
  const keyUses = noteKeyUses(services.db)
  app.addHook('onClose', keyUses.close)
  for (const route of routes) addRoute(app, { services, access, keyUses, answerPoll, shares }, route)
  await app.register((scope) => addPaymentRoutes(scope, services))
  await app.register((scope) => serveUnsubscribe(scope, services))
  servePublishedInsights(app, services)
  servePublishedReports(app, services)
  app.get('/healthz', async (_, reply) => {
    const isUp = await isReachable(services.db)
    return reply.status(isUp ? 200 : 503).send({ status: isUp ? 'ok' : 'unavailable' })
  })
  app.get('/readyz', async (_, reply) => {
    const [database, storage] = await Promise.all([isReachable(services.db), canStore(services.blobs)])
    const checks = { database: said(database), storage: said(storage) }
    const isReady = database && storage
    return reply.status(isReady ? 200 : 503).send({ status: said(isReady), checks })
  })
  const requireKey = async ({ headers }: FastifyRequest) =>
    void (await authenticate(services.db, headers.authorization))
  app.get(openApiPath, { onRequest: requireKey }, async () => openApiDocument())
  return app
}

const openApiPath = '/api/v1/openapi.json'

/** The path of a route that needs a key. Its body is read only after the key was accepted. */
const keyedPath = ({ scope, endpoint: { base, path } }: Route) => (scope === 'keyless' ? [] : [base + path])

const said = (isUp: boolean) => (isUp ? 'ok' : 'unavailable')

/** Whether packages and transcripts can be read. The answer comes within five seconds. */
async function canStore(blobs: Services['blobs']) {
  const answer = blobs.has(storeIdKey).then(
    () => true,
    () => false,
  )
  return Promise.race([answer, delay(5000, false, { ref: false })])
}

const safeLogger = (logger: HttpOptions['logger']) => {
  if (typeof logger === 'boolean') return logger
  const hooks = { logMethod: boundedLog() }
  const req = ({ method, url }: FastifyRequest) => ({ method, url: withoutToken(url) })
  // Without a stream, pino opens the log itself and blocks the whole process while its disk is full.
  return {
    ...(logger.file === undefined && { stream: process.stdout }),
    ...logger,
    hooks,
    serializers: { req, err: describeFault },
  }
}

/** Uses the BFF's id of the same request, so that both logs can be joined; generates an id for every other caller. */
function requestId({ headers }: IncomingMessage) {
  const sentId = headers['x-request-id']
  return typeof sentId === 'string' && /^[\w-]{8,64}$/.test(sentId) ? sentId : randomUUID()
}
