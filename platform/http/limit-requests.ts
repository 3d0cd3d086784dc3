import type { FastifyInstance } from 'fastify'

import { overloaded } from '#platform/failures/failure.ts'

/** Those that say whether the server works. */
const always = new Set(['/healthz', '/readyz'])

/** Refuses further requests at once while so many are in progress: they would only wait, and occupy memory. */
export function limitRequests(app: FastifyInstance, { requests }: { requests: number }) {
  let inProgress = 0
  app.addHook('onRequest', async ({ url }, reply) => {
    if (always.has(url)) return
    if (inProgress >= requests) throw overloaded()
    inProgress += 1
    reply.raw.once('close', () => (inProgress -= 1))
  })
}
