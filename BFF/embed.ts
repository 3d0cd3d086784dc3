import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { limitByAddress } from './address-limit.ts'
import type { BffConfig } from './bff-config.ts'
import { headersForBrowser, headersWithoutKey } from './forwarded-headers.ts'
import { type PlatformClient, platformUnavailable } from './platform-client.ts'
import { embedPolicy } from './security-headers.ts'
import { sendPage } from './send-page.ts'
import { errorStatus } from '#contract/errors.ts'
import { noSuchPublication, publicationPath, publicationToken } from '#contract/publications.ts'

/** Per address, page and data together: an office full of wall displays stays below it. */
const viewsPerMinute = 600

const withoutKey = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' }

const root = publicationPath('')
const dataSuffix = '/data'

type Wildcard = { Params: { '*': string } }

export const isEmbedPath = (url: string) => url.startsWith(root)

/** The same bytes as the platform's response for an unknown or deleted token. */
export const sendNoPublication = (reply: FastifyReply) => reply.code(404).headers(withoutKey).send(noSuchPublication)

/**
 * Published insights, for anyone who has the address: `/embed/insights/{token}` is a page that any site can frame, and
 * `…/data` returns the platform's response. These routes neither read nor set cookies.
 */
export function serveEmbed(app: FastifyInstance, config: BffConfig, platform: PlatformClient) {
  const limitViews = limitByAddress(app, { max: viewsPerMinute, tooMany: 'Too many views of published insights' })

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(withoutKey)
    await limitViews(request)
  })

  // A wildcard, so that a token with a slash or of excessive length gets the same response as any other unknown token.
  app.get<Wildcard>(`${root}*`, async (request, reply) => {
    const path = request.params['*']
    const token = path.endsWith(dataSuffix) ? path.slice(0, -dataSuffix.length) : path
    const isToken = publicationToken.test(token)
    if (path === token) return sendEmbedPage(reply, config, isToken ? await askStatus(platform, request, token) : 404)
    return isToken ? sendData(platform, request, reply, token) : sendNoPublication(reply)
  })
}

/** The page is the same for every token; only its status says whether the publication exists. */
function sendEmbedPage(reply: FastifyReply, config: BffConfig, status: number) {
  reply.removeHeader('x-frame-options')
  return sendPage(reply.code(status), config, 'embed.html', embedPolicy)
}

/** While the platform does not answer, the page is still served, because it can say so and retry. */
async function askStatus(platform: PlatformClient, request: FastifyRequest, token: string) {
  try {
    const { statusCode, body } = await requestPublication(platform, request, 'HEAD', token)
    await body.dump()
    return statusCode
  } catch {
    return errorStatus.unavailable
  }
}

async function sendData(platform: PlatformClient, request: FastifyRequest, reply: FastifyReply, token: string) {
  const { statusCode, headers, body } = await requestPublication(platform, request, 'GET', token)
  return reply
    .code(statusCode)
    .headers({ ...headersForBrowser(headers), ...withoutKey })
    .send(body)
}

const requestPublication = (platform: PlatformClient, request: FastifyRequest, method: 'GET' | 'HEAD', token: string) =>
  platform.pool
    .request({
      method,
      path: platform.rootPath(publicationPath(token)),
      headers: headersWithoutKey(request.headers, request.id),
    })
    .catch((error: Error) => {
      request.log.warn({ err: error }, 'platform request failed')
      throw platformUnavailable()
    })
