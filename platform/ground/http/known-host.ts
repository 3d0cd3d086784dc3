import type { FastifyInstance } from 'fastify'

import { hostNameOf, isLoopbackName } from '#server-kit/loopback.ts'
import { denied } from '#platform/ground/failures/failure.ts'

/**
 * Refuses requests for hosts other than loopback and PLATFORM_HOSTS. A foreign page can point its own name at 127.0.0.1
 * (DNS rebinding), and only the Host header reveals that.
 */
export function refuseUnknownHosts(app: FastifyInstance, hosts: readonly string[]) {
  const known = new Set(hosts.map((host) => host.toLowerCase()))
  app.addHook('onRequest', async ({ headers: { host = '' } }) => {
    if (isLoopbackName(host) || known.has(hostNameOf(host)) || known.has(host.toLowerCase())) return
    throw denied('This host name is not allowed. The operator can add it to PLATFORM_HOSTS')
  })
}
