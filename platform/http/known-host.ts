import type { FastifyInstance } from 'fastify'

import { denied } from '#platform/failures/failure.ts'

const loopbackNames = new Set(['127.0.0.1', 'localhost', '[::1]'])

const nameOf = (host: string) => host.replace(/:\d+$/, '').toLowerCase()

/**
 * Refuses requests for any other host than loopback and those of PLATFORM_HOSTS: a page elsewhere can point its own name
 * at 127.0.0.1 (DNS rebinding), and the Host header is what gives it away.
 */
export function refuseUnknownHosts(app: FastifyInstance, hosts: readonly string[]) {
  const known = new Set([...loopbackNames, ...hosts.map((host) => host.toLowerCase())])
  app.addHook('onRequest', async ({ headers: { host = '' } }) => {
    if (known.has(nameOf(host)) || known.has(host.toLowerCase())) return
    throw denied('This host is not served here; its operator can set PLATFORM_HOSTS to serve it')
  })
}
