import type { FastifyReply, FastifyRequest } from 'fastify'

import type { ErrorBody } from '#contract/errors.ts'
import { unsubscribePath } from '#contract/mail.ts'
import { noSuchPublication, publicationPath } from '#contract/publications.ts'
import { noSuchPublishedReport, publishedReportPath } from '#contract/report-publications.ts'

/** Revoking a page must also end it in browsers and proxies. */
const withoutKey = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' }

type Kind = { root: string; missing: ErrorBody }

const kinds: readonly Kind[] = [
  { root: publicationPath(''), missing: noSuchPublication },
  { root: publishedReportPath(''), missing: noSuchPublishedReport },
]

const kindOf = (url: string) => kinds.find(({ root }) => url.startsWith(root))

/**
 * Whether a path is, or looks like, a publication's. A refusal there must not distinguish one wrong token from another.
 */
export const isPublicationPath = (url: string) => kindOf(url) !== undefined

/** Removes the token from `url` for logs, because anyone who has it can use it. */
export function withoutToken(url: string) {
  const root = kindOf(url)?.root ?? (url.startsWith(unsubscribePath('')) ? unsubscribePath('') : null)
  return root === null ? url : `${root}…`
}

export const sendNoPublication = (request: FastifyRequest, reply: FastifyReply) =>
  reply
    .status(404)
    .headers(withoutKey)
    .send(kindOf(request.url)?.missing ?? noSuchPublication)

/** The options of routes that visitors call. Refusals carry these headers too. */
export const visitorOptions = {
  exposeHeadRoute: false,
  onRequest: async (_: FastifyRequest, reply: FastifyReply) => void reply.headers(withoutKey),
}
