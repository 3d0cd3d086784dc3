import { createServer } from 'node:http'

import { Pool } from 'undici'

/**
 * The two servers around the BFF in `bench/proxy.ts`, each in a separate process:
 * `upstream <port>` answers every request with 1 kB, like a platform with the caller's own key;
 * `bare <port> <upstream>` only forwards requests to it with undici.
 */
const [role, port, upstream = ''] = process.argv.slice(2)

const person = {
  actor: { kind: 'user', id: '00000000-0000-4000-8000-000000000001', name: 'Bench', email: 'bench@lab.example' },
  filler: '',
}
person.filler = 'x'.repeat(1024 - JSON.stringify(person).length)
const kilobyte = JSON.stringify(person)

const pool = role === 'bare' ? new Pool(upstream, { connections: 64 }) : null
const server = createServer((request, response) => {
  if (!pool) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': kilobyte.length }).end(kilobyte)
    return
  }
  const path = request.url ?? '/'
  const passOn = pool.stream({ method: 'GET', path }, ({ statusCode, headers }) =>
    response.writeHead(statusCode, headers as Record<string, string>),
  )
  passOn.catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
})
server.listen(Number(port), '127.0.0.1')
