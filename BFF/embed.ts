import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { limitByAddress } from './address-limit.ts'
import type { BffConfig } from './bff-config.ts'
import { headersForBrowser, headersWithoutKey } from './forwarded-headers.ts'
import { type PlatformClient, platformUnavailable } from './platform-client.ts'
import { embedPolicy } from './security-headers.ts'
import { sendPage } from './send-page.ts'
import { type ErrorBody, errorStatus } from '#contract/errors.ts'
import { noSuchPublication, publicationPath, publicationToken } from '#contract/publications.ts'
import { noSuchPublishedReport, publishedReportPath } from '#contract/report-publications.ts'

/** Per address, page and data together: an office full of wall displays stays below it. */
const viewsPerMinute = 600

const withoutKey = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' }

type Kind = { pathOf: (token: string) => string; missing: ErrorBody; hasImages: boolean }

const kinds: readonly Kind[] = [
  { pathOf: publicationPath, missing: noSuchPublication, hasImages: false },
  { pathOf: publishedReportPath, missing: noSuchPublishedReport, hasImages: true },
]

const kindOf = (url: string) => kinds.find(({ pathOf }) => url.startsWith(pathOf('')))

const dataPath = /^(.*)\/data$/s
const imagePath = /^([^/]*)(\/images\/\d{1,4})$/

type Wildcard = { Params: { '*': string } }

export const isEmbedPath = (url: string) => kindOf(url) !== undefined

/** The same bytes as the platform's response for an unknown or deleted token. */
export const sendNoPublication = (request: FastifyRequest, reply: FastifyReply) =>
  reply
    .code(404)
    .headers(withoutKey)
    .send(kindOf(request.url)?.missing ?? noSuchPublication)

/**
 * Published insights and reports, for anyone who has the address: `/embed/insights/{token}` and `/embed/reports/{token}`
 * are pages that any site can frame, `…/data` returns the platform's response, and `…/images/0` an image of a report.
 * These routes neither read nor set cookies.
 */
export function serveEmbed(app: FastifyInstance, config: BffConfig, platform: PlatformClient) {
  const limitViews = limitByAddress(app, { max: viewsPerMinute, tooMany: 'Too many views of published pages' })

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(withoutKey)
    await limitViews(request)
  })

  // A wildcard, so that a token with a slash or of excessive length gets the same response as any other unknown token.
  for (const kind of kinds) {
    app.get<Wildcard>(kind.pathOf('*'), { exposeHeadRoute: true }, async (request, reply) => {
      const path = request.params['*']
      const [, token = path, file = ''] = dataPath.exec(path) ?? (kind.hasImages ? imagePath.exec(path) : null) ?? []
      const isToken = publicationToken.test(token)
      if (token !== path)
        return isToken
          ? sendData(platform, request, reply, kind.pathOf(token) + file)
          : sendNoPublication(request, reply)
      const status = isToken ? await askStatus(platform, request, kind.pathOf(token)) : 404
      return sendEmbedPage(reply, config, status)
    })
  }
}

/** The page is the same for every token; only its status says whether the publication exists. */
function sendEmbedPage(reply: FastifyReply, config: BffConfig, status: number) {
  reply.removeHeader('x-frame-options')
  return sendPage(reply.code(status), config, 'embed.html', embedPolicy)
}

/** While the platform does not answer, the page is still served, because it can say so and retry. */
async function askStatus(platform: PlatformClient, request: FastifyRequest, path: string) {
  try {
    const { statusCode, body } = await requestPublication(platform, request, 'HEAD', path)
    await body.dump()
    return statusCode
  } catch {
    return errorStatus.unavailable
  }
}

async function sendData(platform: PlatformClient, request: FastifyRequest, reply: FastifyReply, path: string) {
  const { statusCode, headers, body } = await requestPublication(platform, request, 'GET', path)
  return reply
    .code(statusCode)
    .headers({ ...headersForBrowser(headers), ...withoutKey })
    .send(body)
}

const requestPublication = (platform: PlatformClient, request: FastifyRequest, method: 'GET' | 'HEAD', path: string) =>
  platform
    .requestForVisitor({
      method,
      path: platform.rootPath(path),
      headers: headersWithoutKey(request.headers, request.id),
    })
    .catch((error: Error) => {
      request.log.warn({ err: error }, 'platform request failed')
      throw platformUnavailable(error)
    })
