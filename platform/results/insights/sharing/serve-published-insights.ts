import type { FastifyInstance } from 'fastify'

import { publicationPath } from '#contract/publications.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { sendSerialized } from '#platform/ground/http/send-serialized.ts'
import { findPublishedInsight } from '#platform/results/publications/find-published-insight.ts'
import { sendNoPublication, visitorOptions } from '#platform/results/publications/public-paths.ts'
import { publicationViewer } from './show-publication.ts'

type Wildcard = { Params: { '*': string } }

/** GET /embed/insights/{token}, without a key. HEAD checks that the publication exists and runs no query. */
export function servePublishedInsights(app: FastifyInstance, services: Services) {
  const view = publicationViewer(services)
  // A wildcard gives every wrong token the same answer, even one with a slash or one too long for a parameter.
  const url = publicationPath('*')

  app.get<Wildcard>(url, visitorOptions, async (request, reply) => {
    const published = await view(request.params['*'])
    if (!published) return sendNoPublication(request, reply)
    // Slow visitors use no slots of the organization's members.
    return sendSerialized(reply, `visitors of ${published.organizationId}`, published.body)
  })

  app.head<Wildcard>(url, visitorOptions, async ({ params }, reply) => {
    const publication = await findPublishedInsight(services, params['*'])
    return reply.status(publication ? 200 : 404).send()
  })
}
