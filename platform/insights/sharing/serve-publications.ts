import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { noSuchPublication, publicationPath } from '#contract/publications.ts'
import type { Services } from '#platform/context/context.ts'
import { sendSerialized } from '#platform/http/send-serialized.ts'
import { findPublished } from '#platform/publications/find-published.ts'
import { publicationViewer } from './show-publication.ts'

const withoutKey = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' }

const root = publicationPath('')

type Wildcard = { Params: { '*': string } }

/**
 * Whether a path is, or looks like, a publication's. A refusal there must not distinguish one wrong token from another.
 */
export const isPublicationPath = (url: string) => url.startsWith(root)

/** Removes the token from `url` for logs, because the token is the only protection of a publication. */
export const withoutToken = (url: string) => (isPublicationPath(url) ? `${root}…` : url)

export const sendNoPublication = (reply: FastifyReply) => reply.status(404).headers(withoutKey).send(noSuchPublication)

/** GET /embed/insights/{token}, without a key. HEAD checks that the publication exists and runs no query. */
export function servePublications(app: FastifyInstance, services: Services) {
  const view = publicationViewer(services)
  const options = {
    exposeHeadRoute: false,
    // Refusals carry these headers too.
    onRequest: async (_: FastifyRequest, reply: FastifyReply) => void reply.headers(withoutKey),
  }
  // A wildcard gives every wrong token the same answer, even one with a slash or one too long for a parameter.
  const url = `${root}*`

  app.get<Wildcard>(url, options, async ({ params }, reply) => {
    const published = await view(params['*'])
    if (!published) return sendNoPublication(reply)
    // Slow visitors use no slots of the organization's members.
    return sendSerialized(reply, `visitors of ${published.organizationId}`, published.body)
  })

  app.head<Wildcard>(url, options, async ({ params }, reply) => {
    const publication = await findPublished(services, params['*'])
    return reply.status(publication ? 200 : 404).send()
  })
}
