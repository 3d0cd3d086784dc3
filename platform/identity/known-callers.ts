import type { Caller } from '#platform/context.ts'
import type { Database } from '#platform/database/open-database.ts'
import { hashApiKey } from './api-key.ts'
import { findCaller } from './find-caller.ts'

type Known = { caller: Promise<Caller | null>; askedAt: number }

/** How long a key that another process revoked may still be taken for live. */
const lifetimeMs = 1000
const mostKeys = 10_000

const known = new WeakMap<Database, Map<string, Known>>()

/** Who an API key speaks for, as the database said within the last second; null for a key it does not know. */
export function knownCaller(db: Database, key: string): Promise<Caller | null> {
  const callers = known.get(db) ?? new Map<string, Known>()
  known.set(db, callers)
  const hash = hashApiKey(key)
  const now = performance.now()
  const recent = callers.get(hash)
  if (recent && now - recent.askedAt < lifetimeMs) return recent.caller
  const entry: Known = { caller: findCaller(db, hash), askedAt: now }
  callers.delete(hash)
  callers.set(hash, entry)
  forgetOld(callers, now)
  // A key that was just made must work at once, and strangers must not fill the map.
  const forget = () => callers.get(hash) === entry && callers.delete(hash)
  entry.caller.then((caller) => caller ?? forget(), forget)
  return entry.caller
}

/** Call it after a key, a role or a membership has changed, so that this process uses the change at once. */
export const forgetCallers = (db: Database) => void known.get(db)?.clear()

/** Oldest first, as they were asked. */
function forgetOld(callers: Map<string, Known>, now: number) {
  for (const [hash, { askedAt }] of callers) {
    if (callers.size <= mostKeys && now - askedAt < lifetimeMs) return
    callers.delete(hash)
  }
}
