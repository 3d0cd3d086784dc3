import { LRUCache } from 'lru-cache'

import type { Sessions } from './open-sessions.ts'
import type { PlatformClient } from './platform-client.ts'

/** The longest time that a session outlives its key on the BFF's own routes. */
const lifetimeMs = 1000
const maxKeys = 10_000

/**
 * Whether the platform still accepts the key of a session. The session of a revoked or expired key ends. Routes that the
 * platform does not answer itself ask this before they trust a session.
 */
export function watchKeys(platform: PlatformClient, sessions: Sessions) {
  const accepted = new LRUCache<string, Promise<boolean>>({ max: maxKeys, ttl: lifetimeMs })

  function ask(apiKey: string) {
    const asked = accepted.get(apiKey)
    if (asked) return asked
    const answer = platform.findPerson(apiKey).then((person) => person !== null)
    accepted.set(apiKey, answer)
    // An outage is no answer, so the next request asks again.
    answer.catch(() => accepted.delete(apiKey))
    return answer
  }

  /**
   * Throws a Refusal if the platform does not answer, unless the route `toleratesOutages`: such a platform has not rejected
   * the key. `isBackground` is that of `findKey`.
   */
  return async function isLive(
    id: string | undefined,
    { isBackground = false, toleratesOutages = false } = {},
  ): Promise<boolean> {
    const apiKey = await sessions.findKey(id, { isBackground })
    if (apiKey === undefined) return false
    if (await (toleratesOutages ? ask(apiKey).catch(() => true) : ask(apiKey))) return true
    await sessions.end(id)
    return false
  }
}
