import { setImmediate } from 'node:timers/promises'

import { LRUCache } from 'lru-cache'

import type { Caller } from '#platform/ground/context/caller.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { hashApiKey } from './api-key.ts'
import { findCallers } from './find-callers.ts'

type Known = { caller: Promise<Caller | null>; loadedAt: number }

/** The longest time that a key revoked by another process may still be accepted. */
const lifetimeMs = 1000
/** The time since the last use after which a key is forgotten. Until then it is looked up again, together with others. */
const activeMs = 5000
const maxKeys = 10_000

/** The next statement. It starts after the requests that have already arrived, so that their keys share it. */
type Batch = { hashes: Set<string>; callers: Promise<Map<string, Caller>> }

type Callers = { known: LRUCache<string, Known>; batch: Batch | null }

const callersOf = new WeakMap<Database, Callers>()

const newCallers = (): Callers => ({
  known: new LRUCache({ max: maxKeys, ttl: activeMs, updateAgeOnGet: true }),
  batch: null,
})

/** The caller of an API key, at most one second old; null for an unknown, expired or revoked key. */
export function findCallerOfKey(db: Database, key: string): Promise<Caller | null> {
  const callers = callersOf.get(db) ?? newCallers()
  callersOf.set(db, callers)
  const hash = hashApiKey(key)
  const recent = callers.known.get(hash)
  if (recent && performance.now() - recent.loadedAt < lifetimeMs) return recent.caller
  return lookUp(db, callers, hash)
}

/** Call it after a change of a key, role or membership, so that this process applies the change at once. */
export function clearCallerCache(db: Database) {
  callersOf.delete(db)
}

function lookUp(db: Database, callers: Callers, hash: string): Promise<Caller | null> {
  const batch = (callers.batch ??= startBatch(db, callers))
  batch.hashes.add(hash)
  const entry: Known = {
    caller: batch.callers.then((found) => found.get(hash) ?? null),
    loadedAt: performance.now(),
  }
  callers.known.set(hash, entry)
  // A key that was just created must work at once, and unknown keys must not fill the cache.
  const forget = () => callers.known.peek(hash) === entry && callers.known.delete(hash)
  entry.caller.then((caller) => caller ?? forget(), forget)
  return entry.caller
}

function startBatch(db: Database, callers: Callers): Batch {
  const { known } = callers
  const hashes = new Set<string>()
  const load = async () => {
    await setImmediate()
    callers.batch = null
    const loadedAt = performance.now()
    known.purgeStale()
    const others = [...known.entries()].filter(
      ([hash, entry]) => !hashes.has(hash) && loadedAt - entry.loadedAt > lifetimeMs / 2,
    )
    const found = await findCallers(db, [...hashes, ...others.map(([hash]) => hash)])
    for (const [hash, entry] of others) {
      const caller = found.get(hash) ?? null
      if (known.peek(hash) !== entry) continue
      // This look-up does not count as a use of the key, so it does not extend the key's time in the cache.
      if (caller) known.set(hash, { caller: Promise.resolve(caller), loadedAt }, { noUpdateTTL: true })
      else known.delete(hash)
    }
    return found
  }
  return { hashes, callers: load() }
}
