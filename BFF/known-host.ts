import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { Config } from './config.ts'
import { Refusal } from './refusal.ts'

const loopbackNames = new Set(['127.0.0.1', 'localhost', '[::1]'])
const loopbackAddresses = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
const forwardedHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

const hostName = (host: string) => host.replace(/:\d+$/, '').toLowerCase()

/** A page elsewhere can point its own name at 127.0.0.1 (DNS rebinding); the Host header gives it away. */
export function refuseUnknownHosts(app: FastifyInstance, config: Config) {
  app.addHook('onRequest', async (request) => {
    const host = request.headers.host ?? ''
    if (loopbackNames.has(hostName(host)) || host === config.publicUrl?.host) return
    throw new Refusal('permission_denied', 'This host is not served here; set PUBLIC_URL to serve it')
  })
}

/** True when browser and BFF share a machine: loopback all the way, nobody forwarding for someone else. */
export const isLoopback = (request: FastifyRequest) =>
  loopbackNames.has(hostName(request.headers.host ?? '')) &&
  loopbackAddresses.has(request.socket.remoteAddress ?? '') &&
  forwardedHeaders.every((name) => request.headers[name] === undefined)

/** The origin our own pages have in the browser's eyes. */
export const ownOrigin = (request: FastifyRequest, config: Config) =>
  config.publicUrl?.origin ?? `http://${request.headers.host}`
