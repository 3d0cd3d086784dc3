import { readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'

import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { Config } from '#bff/config.ts'
import { Refusal } from '#bff/refusal.ts'
import { newNonce, pagePolicy } from '#bff/security-headers.ts'

const noncePlaceholder = /__CSP_NONCE__/g

/** The built app: hashed assets for ever, the page fresh every time, and the page again for every path it routes itself. */
export async function serveApp(app: FastifyInstance, config: Config) {
  const assets = join(config.staticDir, 'assets') + sep

  await app.register(fastifyStatic, {
    root: config.staticDir,
    index: false,
    dotfiles: 'ignore',
    preCompressed: true,
    suppressWarning: true,
    cacheControl: false,
    allowedPath: (path) => path !== '/index.html',
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(assets)
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })

  app.get('/', (_request, reply) => sendPage(reply, config))

  app.setNotFoundHandler(async (request, reply) => {
    if (!isPageVisit(request)) throw new Refusal('not_found', 'No such route')
    return sendPage(reply, config)
  })
}

function isPageVisit(request: FastifyRequest) {
  const { pathname } = new URL(request.url, 'http://localhost')
  const wantsHtml = request.headers.accept?.includes('text/html') ?? false
  return request.method === 'GET' && wantsHtml && !/^\/(api|assets|session)(\/|$)/.test(pathname)
}

async function sendPage(reply: FastifyReply, config: Config) {
  const page = await readFile(join(config.staticDir, 'index.html'), 'utf8').catch(() => {
    throw new Refusal('unavailable', 'The app is not built; run npm run build')
  })
  const nonce = newNonce()
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': pagePolicy(nonce),
    })
    .send(page.replace(noncePlaceholder, nonce))
}
