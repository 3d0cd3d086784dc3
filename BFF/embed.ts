import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { createAddressLimit } from './address-limit.ts'
import type { Config } from './config.ts'
import { headersForBrowser, headersForStrangers } from './forwarded-headers.ts'
import { type PlatformClient, platformUnavailable } from './platform-client.ts'
import { embedPolicy } from './security-headers.ts'
import { sendPage } from './send-page.ts'
import { errorStatus } from '#contract/errors.ts'
import { noSuchPublication, publicationPath, publicationToken } from '#contract/publications.ts'

/** For one address, page and data together: an office of wall displays stays below it. */
const viewsPerMinute = 600

const forStrangers = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' }

const root = publicationPath('')
const dataSuffix = '/data'

type Wildcard = { Params: { '*': string } }

export const isEmbedPath = (url: string) => url.startsWith(root)

/** The very bytes with which the platform answers a token that is unknown or deleted. */
export const sendNoPublication = (reply: FastifyReply) => reply.code(404).headers(forStrangers).send(noSuchPublication)

/**
 * Published insights, for anybody who holds the address: `/embed/insights/{token}` is a page that anybody may frame, and
 * `…/data` what the platform says. Cookies are neither read nor set here.
 */
export function serveEmbed(app: FastifyInstance, config: Config, platform: PlatformClient) {
  const views = createAddressLimit({ allowed: viewsPerMinute, tooMany: 'Too many views of published insights' })

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(forStrangers)
    views.check(request.ip)
    views.count(request.ip)
  })

  // A wildcard: what is too long for a parameter, or has a slash, is no token like any other.
  app.get<Wildcard>(`${root}*`, async (request, reply) => {
    const path = request.params['*']
    const token = path.endsWith(dataSuffix) ? path.slice(0, -dataSuffix.length) : path
    const isToken = publicationToken.test(token)
    if (path === token) return sendEmbedPage(reply, config, isToken ? await askStatus(platform, request, token) : 404)
    return isToken ? sendData(platform, request, reply, token) : sendNoPublication(reply)
  })
}

/** The page is the same for every token; its status says whether there is something to see. */
function sendEmbedPage(reply: FastifyReply, config: Config, status: number) {
  reply.removeHeader('x-frame-options')
  return sendPage(reply.code(status), config, 'embed.html', embedPolicy)
}

/** Runs nothing. While the platform does not answer the page still comes: it can say so, and try again. */
async function askStatus(platform: PlatformClient, request: FastifyRequest, token: string) {
  try {
    const { statusCode, body } = await ask(platform, request, 'HEAD', token)
    await body.dump()
    return statusCode
  } catch {
    return errorStatus.unavailable
  }
}

async function sendData(platform: PlatformClient, request: FastifyRequest, reply: FastifyReply, token: string) {
  const { statusCode, headers, body } = await ask(platform, request, 'GET', token)
  return reply
    .code(statusCode)
    .headers({ ...headersForBrowser(headers), ...forStrangers })
    .send(body)
}

const ask = (platform: PlatformClient, request: FastifyRequest, method: 'GET' | 'HEAD', token: string) =>
  platform.pool
    .request({
      method,
      path: platform.rootPath(publicationPath(token)),
      headers: headersForStrangers(request.headers, request.id),
    })
    .catch((error: Error) => {
      request.log.warn({ err: error }, 'platform request failed')
      throw platformUnavailable()
    })
