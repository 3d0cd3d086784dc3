import { Readable } from 'node:stream'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { keylessLimits, readInTime } from '#server-kit/keyless-requests.ts'
import { crowded, overloaded } from '#platform/ground/failures/failure.ts'
import type { ConnectionLimits } from './connection-limits.ts'

/** Those that say whether the server works. */
const always = new Set(['/healthz', '/readyz'])

type Limits = Pick<ConnectionLimits, 'requests' | 'keylessRequests' | 'keylessBodyMs'>

/** The slots that one request occupies until its response has ended. */
type Held = { pools: Set<string>; isOver: boolean }

export type RequestShares = ReturnType<typeof limitRequests>

/**
 * Refuses further requests at once while so many are in progress: they would only wait, and occupy memory. Requests with
 * a key have slots of their own, which no stranger can occupy: such a request is refused before its body is read. Every
 * other route has a few slots, a short time for bodies, and small bodies. `keyedPaths` are the routes that need a key.
 * Add it before the routes.
 */
export function limitRequests(app: FastifyInstance, limits: Limits, keyedPaths: ReadonlySet<string>) {
  const inProgress = new Map<string, number>()
  const requests = new WeakMap<FastifyRequest, Held>()
  const isKeyed = ({ routeOptions: { url } }: FastifyRequest) => url !== undefined && keyedPaths.has(url)

  const isFull = (pool: string, most: number) => (inProgress.get(pool) ?? 0) >= most
  const occupy = (held: Held, pool: string) => {
    if (held.isOver) return
    held.pools.add(pool)
    inProgress.set(pool, (inProgress.get(pool) ?? 0) + 1)
  }
  const leave = (held: Held) => {
    held.isOver = true
    for (const pool of held.pools) {
      const left = (inProgress.get(pool) ?? 0) - 1
      if (left > 0) inProgress.set(pool, left)
      else inProgress.delete(pool)
    }
  }

  app.addHook('onRoute', (route) => {
    if (!keyedPaths.has(route.url)) route.bodyLimit ??= keylessLimits.bodyBytes
  })
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const { url = 'unknown' } = request.routeOptions
    if (always.has(url)) return
    const [pool, most] = isKeyed(request) ? ['keyed', limits.requests] : [`keyless ${url}`, limits.keylessRequests]
    if (isFull(pool, most)) throw overloaded()
    const held: Held = { pools: new Set(), isOver: false }
    requests.set(request, held)
    occupy(held, pool)
    reply.raw.once('close', () => leave(held))
  })
  app.addHook('preParsing', async (request: FastifyRequest, _: FastifyReply, body) => {
    if (isKeyed(request)) return body
    const parts: AsyncIterator<Buffer> = request.raw.iterator({ destroyOnReturn: false })
    return Readable.from(readInTime(parts, limits.keylessBodyMs), { objectMode: false })
  })

  return {
    /** Counts an accepted request for its owner, an organization or a key, which can occupy half of the slots. */
    enter(request: FastifyRequest, owner: string) {
      const held = requests.get(request)
      const pool = `owner ${owner}`
      if (!held || held.pools.has(pool)) return
      if (isFull(pool, Math.ceil(limits.requests / 2)))
        throw crowded('Too many of your requests are in progress. Try again when some of them have ended')
      occupy(held, pool)
    },
  }
}
