import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { collectDefaultMetrics, Registry } from 'prom-client'

import type { Database } from '#platform/ground/database/open-database.ts'
import { registry } from './metrics.ts'
import { measureQueues } from './measure-queues.ts'

export type MetricsAddress = { host: string; port: number }

/**
 * Serves `/metrics` in the text format of Prometheus, without a key: only on the address that the operator chose.
 * While the database does not answer, it serves everything else.
 */
export async function serveMetrics(db: Database, { host, port }: MetricsAddress) {
  const ofProcess = new Registry()
  collectDefaultMetrics({ register: ofProcess })
  const all = Registry.merge([registry, ofProcess])
  const server = createServer((request, answer) => {
    if (request.url !== '/metrics') return void answer.writeHead(404).end()
    void (async () => {
      await measureQueues(db).catch((error: unknown) => console.error('The queues could not be measured:', error))
      answer.writeHead(200, { 'content-type': all.contentType }).end(await all.metrics())
    })()
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
