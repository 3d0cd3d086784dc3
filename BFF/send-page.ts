import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { FastifyReply } from 'fastify'

import type { BffConfig } from './bff-config.ts'
import { Refusal } from './refusal.ts'
import { newNonce } from './security-headers.ts'

const noncePlaceholder = /__CSP_NONCE__/g

/**
 * Sends a built page with a policy whose nonce is new for every response. Errors: `unavailable` if the app is not
 * built.
 */
export async function sendPage(
  reply: FastifyReply,
  config: BffConfig,
  file: string,
  policy: (nonce: string) => string,
) {
  const page = await readFile(join(config.staticDir, file), 'utf8').catch(() => {
    throw new Refusal('unavailable', 'The app is not built; run npm run build')
  })
  const nonce = newNonce()
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policy(nonce),
    })
    .send(page.replace(noncePlaceholder, nonce))
}
