import type { FastifyInstance } from 'fastify'

import { denied } from '#platform/failures/failure.ts'

const loopbackNames = new Set(['127.0.0.1', 'localhost', '[::1]'])

const nameOf = (host: string) => host.replace(/:\d+$/, '').toLowerCase()

/**
 * Refuses requests for hosts other than loopback and PLATFORM_HOSTS. A foreign page can point its own name at 127.0.0.1
 * (DNS rebinding), and only the Host header reveals that.
 */
export function refuseUnknownHosts(app: FastifyInstance, hosts: readonly string[]) {
  const known = new Set([...loopbackNames, ...hosts.map((host) => host.toLowerCase())])
  app.addHook('onRequest', async ({ headers: { host = '' } }) => {
    if (known.has(nameOf(host)) || known.has(host.toLowerCase())) return
    throw denied('This host name is not allowed. The operator can add it to PLATFORM_HOSTS')
  })
}
