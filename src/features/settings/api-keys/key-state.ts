import type { ApiKey } from '#contract/api-keys.ts'

/** Why a key does not work, or will soon end; null for a key about which there is nothing to say. */
export function stateOf({ expiresAt, replacedBy, role }: ApiKey, now: number): KeyState | null {
  const left = expiresAt === undefined ? Infinity : Date.parse(expiresAt) - now
  if (left <= 0) return { label: replacedBy ? 'Rotated, expired' : 'Expired', tone: 'ended' }
  if (role === undefined) return { label: 'No access', hint: 'Its owner is no longer a member', tone: 'ended' }
  if (replacedBy) return { label: 'Rotated', hint: 'A new key replaces it', tone: 'ending' }
  return left < soonMs ? { label: 'Expires soon', tone: 'ending' } : null
}

type KeyState = { label: string; hint?: string; tone: 'ended' | 'ending' }

const soonMs = 7 * 86_400_000

/** Nothing can be rotated twice, and what no longer works is not worth it. */
export function whyNotRotate(key: ApiKey, now: number): string | null {
  if (key.isDemo) return 'The demo signs people in with this key'
  if (key.replacedBy) return 'It has been rotated'
  return stateOf(key, now)?.tone === 'ended' ? 'It no longer works' : null
}
