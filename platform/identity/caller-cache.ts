import { setImmediate } from 'node:timers/promises'

import type { Caller } from '#platform/context/context.ts'
import type { Database } from '#platform/database/open-database.ts'
import { hashApiKey } from './api-key.ts'
import { findCallers } from './find-callers.ts'

type Known = { caller: Promise<Caller | null>; loadedAt: number; usedAt: number }

/** The longest time that a key revoked by another process may still be accepted. */
const lifetimeMs = 1000
/** A key used within this time is looked up again, together with others, before its entry expires. */
const activeMs = 5000
const maxKeys = 10_000

/** The next statement. It starts after the requests that have already arrived, so that their keys share it. */
type Batch = { hashes: Set<string>; callers: Promise<Map<string, Caller>> }

type Callers = { known: Map<string, Known>; batch: Batch | null }

const callersOf = new WeakMap<Database, Callers>()

/** The caller of an API key, at most one second old; null for an unknown or revoked key. */
export function findCallerOfKey(db: Database, key: string): Promise<Caller | null> {
  const callers = callersOf.get(db) ?? { known: new Map<string, Known>(), batch: null }
  callersOf.set(db, callers)
  const hash = hashApiKey(key)
  const now = performance.now()
  const recent = callers.known.get(hash)
  if (recent && now - recent.loadedAt < lifetimeMs) {
    recent.usedAt = now
    return recent.caller
  }
  return lookUp(db, callers, hash)
}

/** Call it after a change of a key, role or membership, so that this process applies the change at once. */
export function clearCallerCache(db: Database) {
  callersOf.delete(db)
}

function lookUp(db: Database, callers: Callers, hash: string): Promise<Caller | null> {
  const batch = (callers.batch ??= startBatch(db, callers))
  batch.hashes.add(hash)
  const now = performance.now()
  const entry: Known = { caller: batch.callers.then((found) => found.get(hash) ?? null), loadedAt: now, usedAt: now }
  remember(callers, hash, entry)
  // A key that was just created must work at once, and unknown keys must not fill the map.
  const forget = () => callers.known.get(hash) === entry && callers.known.delete(hash)
  entry.caller.then((caller) => caller ?? forget(), forget)
  return entry.caller
}

function startBatch(db: Database, callers: Callers): Batch {
  const hashes = new Set<string>()
  const ask = async () => {
    await setImmediate()
    callers.batch = null
    const loadedAt = performance.now()
    const others = [...callers.known].filter(([hash, known]) => !hashes.has(hash) && isDue(known, loadedAt))
    const found = await findCallers(db, [...hashes, ...others.map(([hash]) => hash)])
    for (const [hash, known] of others) {
      const caller = found.get(hash) ?? null
      if (callers.known.get(hash) !== known) continue
      if (caller) remember(callers, hash, { caller: Promise.resolve(caller), loadedAt, usedAt: known.usedAt })
      else callers.known.delete(hash)
    }
    return found
  }
  return { hashes, callers: ask() }
}

const isDue = ({ loadedAt, usedAt }: Known, now: number) => now - loadedAt > lifetimeMs / 2 && now - usedAt < activeMs

/** The map is ordered from the least to the most recently used key. */
function remember({ known }: Callers, hash: string, entry: Known) {
  known.delete(hash)
  known.set(hash, entry)
  for (const [oldest, { loadedAt, usedAt }] of known) {
    if (known.size <= maxKeys && entry.loadedAt - Math.max(loadedAt, usedAt) < activeMs) return
    known.delete(oldest)
  }
}
