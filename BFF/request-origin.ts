import type { FastifyInstance, FastifyRequest } from 'fastify'

import { isLoopbackName } from '#server-kit/loopback.ts'
import type { BffConfig } from './bff-config.ts'
import { Refusal } from './refusal.ts'

const loopbackAddresses = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
const forwardedHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/** A page on another site can point its host name at 127.0.0.1 (DNS rebinding). The Host header reveals that. */
export function refuseUnknownHosts(app: FastifyInstance, config: BffConfig) {
  app.addHook('onRequest', async (request) => {
    const host = request.headers.host ?? ''
    if (isLoopbackName(host) || host === config.publicUrl?.host) return
    throw new Refusal('permission_denied', 'This host is not allowed; set PUBLIC_URL to serve it')
  })
}

/**
 * Whether browser and BFF run on the same machine: every address is loopback and no proxy forwards for another address.
 */
export const isLoopback = (request: FastifyRequest) =>
  isLoopbackName(request.headers.host ?? '') &&
  loopbackAddresses.has(request.socket.remoteAddress ?? '') &&
  forwardedHeaders.every((name) => request.headers[name] === undefined)

/** The origin of this app's pages in the browser. */
export const appOrigin = (request: FastifyRequest, config: BffConfig) =>
  config.publicUrl?.origin ?? `http://${request.headers.host}`
