import { normalizeIP, type RateLimitOptions } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { Refusal } from './refusal.ts'

/**
 * Limits how often one address can do something per minute; then it has to wait. `tooMany` is the start of the error
 * message. An IPv6 address counts as its /64 network, because its owner can use all addresses of that network.
 */
export function limitByAddress(app: FastifyInstance, { max, tooMany }: { max: number; tooMany: string }) {
  const subjects = new WeakMap<FastifyRequest, string>()
  const options: RateLimitOptions = {
    max,
    timeWindow: 60_000,
    cache: 10_000,
    keyGenerator: (request) => `${subjects.get(request)} ${normalizeIP(request.ip)}`,
  }
  const count = app.createRateLimit(options)

  /** Each subject, such as the start of an API key, has its own count. */
  return async (request: FastifyRequest, subject = '') => {
    subjects.set(request, subject)
    const limit = await count(request)
    if (limit.isAllowed || !limit.isExceeded) return
    const seconds = String(limit.ttlInSeconds)
    throw new Refusal('resource_exhausted', `${tooMany}; try again in ${seconds} seconds`, { 'retry-after': seconds })
  }
}
