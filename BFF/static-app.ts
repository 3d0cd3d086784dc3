import { join, sep } from 'node:path'

import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { BffConfig } from './bff-config.ts'
import { Refusal } from './refusal.ts'
import { pagePolicy } from './security-headers.ts'
import { sendPage } from './send-page.ts'

const pages = new Set(['/index.html', '/embed.html'])

/**
 * Serves the built app: hashed assets may be cached for ever, the page is always fresh, and every path of the router
 * returns the page.
 */
export async function serveApp(
  app: FastifyInstance,
  config: BffConfig,
  refuseWrongMethod: (request: FastifyRequest) => void,
) {
  const assets = join(config.staticDir, 'assets') + sep

  await app.register(fastifyStatic, {
    root: config.staticDir,
    index: false,
    dotfiles: 'ignore',
    preCompressed: true,
    suppressWarning: true,
    cacheControl: false,
    allowedPath: (path) => !pages.has(path),
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(assets)
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })

  app.get('/', { exposeHeadRoute: true }, (_request, reply) => sendPage(reply, config, 'index.html', pagePolicy))

  app.setNotFoundHandler(async (request, reply) => {
    refuseWrongMethod(request)
    if (!isPageVisit(request)) throw new Refusal('not_found', 'No such route')
    return sendPage(reply, config, 'index.html', pagePolicy)
  })
}

function isPageVisit(request: FastifyRequest) {
  const { pathname } = new URL(request.url, 'http://localhost')
  const wantsHtml = request.headers.accept?.includes('text/html') ?? false
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    wantsHtml &&
    !/^\/(admin|api|assets|checkout|embed|session|webhooks)(\/|$)/.test(pathname)
  )
}
