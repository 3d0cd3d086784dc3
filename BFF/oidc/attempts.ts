import { randomBytes } from 'node:crypto'

/** What the answer of the provider must fit, where the person wanted to go, and the session their browser had. */
export type Attempt = {
  state: string
  nonce: string
  codeVerifier: string
  returnPath: string
  earlierSession: string | undefined
}

const lifetimeMs = 10 * 60_000
const remembered = 10_000

/** Sign-ins that are under way at the provider. Each is taken once, so an answer sent twice finds nothing. */
export function createAttempts() {
  const attempts = new Map<string, Attempt & { startedAt: number }>()

  return {
    start(attempt: Attempt) {
      const id = randomBytes(32).toString('base64url')
      attempts.set(id, { ...attempt, startedAt: Date.now() })
      const [oldest] = attempts.keys()
      if (attempts.size > remembered && oldest !== undefined) attempts.delete(oldest)
      return id
    },

    take(id: string | undefined): Attempt | null {
      const attempt = id === undefined ? undefined : attempts.get(id)
      if (!id || !attempt) return null
      attempts.delete(id)
      return Date.now() - attempt.startedAt > lifetimeMs ? null : attempt
    },
  }
}
