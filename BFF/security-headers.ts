import { randomBytes } from 'node:crypto'

import type { FastifyInstance } from 'fastify'

import type { BffConfig } from './bff-config.ts'

const everyResponse = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'permissions-policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()',
  // Every response other than a page is data and may load and run nothing.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

export function securityHeaders(config: BffConfig): Record<string, string> {
  const overHttps = config.publicUrl?.protocol === 'https:'
  return overHttps ? { ...everyResponse, 'strict-transport-security': 'max-age=31536000' } : everyResponse
}

export function setSecurityHeaders(app: FastifyInstance, config: BffConfig) {
  const headers = securityHeaders(config)
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers)
  })
}

export const newNonce = () => randomBytes(16).toString('base64')

const appSources = (nonce: string) => [
  "default-src 'none'",
  `script-src 'self' 'nonce-${nonce}'`,
  `style-src 'self' 'nonce-${nonce}'`,
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
]

export const pagePolicy = (nonce: string) =>
  [...appSources(nonce), "manifest-src 'self'", "form-action 'self'", "frame-ancestors 'none'"].join('; ')

/** The policy of published insights, which any site can frame. */
export const embedPolicy = (nonce: string) =>
  [...appSources(nonce), "form-action 'none'", 'frame-ancestors *'].join('; ')
