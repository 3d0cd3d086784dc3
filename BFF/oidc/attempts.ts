import { randomBytes } from 'node:crypto'

import { LRUCache } from 'lru-cache'
import type { z } from 'zod'

import type { JoinAsNew } from '#contract/session.ts'

/** The token of an invitation, and the name of the person if they are new. */
export type Invited = z.infer<typeof JoinAsNew>

/**
 * The values that the provider's response must match, the page the person wanted, and the earlier session of their
 * browser.
 */
export type Attempt = {
  state: string
  nonce: string
  codeVerifier: string
  returnPath: string
  /** Set if the person came from the link of an invitation. */
  invitation: Invited | undefined
  earlierSession: string | undefined
}

const lifetimeMs = 10 * 60_000
export const maxAttempts = 10_000

export type Attempts = {
  start: (attempt: Attempt) => string | Promise<string>
  consume: (id: string | undefined) => (Attempt | null) | Promise<Attempt | null>
}

/** Sign-ins in progress at the provider. Each can be consumed once, so a repeated response finds nothing. */
export function createAttempts(): Attempts {
  const attempts = new LRUCache<string, Attempt>({
    max: maxAttempts,
    ttl: lifetimeMs,
    perf: { now: () => Date.now() },
  })

  return {
    start(attempt) {
      const id = randomBytes(32).toString('base64url')
      attempts.set(id, attempt)
      return id
    },

    consume(id) {
      const attempt = id === undefined ? undefined : attempts.get(id)
      if (!id || !attempt) return null
      attempts.delete(id)
      return attempt
    },
  }
}
