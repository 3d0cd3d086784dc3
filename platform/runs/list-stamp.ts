import { fingerprintOf, type Walk } from '#platform/context/page-token.ts'
import type { Version } from '#platform/polling/watch-changes.ts'

/** A list's stamp: the moment of the database that it shows, for those who ask for the same list again. */
export const writeStamp = ({ snapshot, life }: Version, walk: Walk) => `${fingerprintOf(walk)}.${snapshot}.${life}`

/**
 * The snapshot of a stamp, or null where the whole page must be sent: the stamp is of another list, is not ours, is of
 * another life of the database, or names transactions that have not happened.
 */
export function readStamp(stamp: string | undefined, walk: Walk, now: Version): string | null {
  const [fingerprint, snapshot = '', life] = stamp?.split('.') ?? []
  if (fingerprint !== fingerprintOf(walk) || life !== now.life) return null
  const [given, current] = [nextTransaction(snapshot), nextTransaction(now.snapshot)]
  return given !== null && current !== null && given <= current ? snapshot : null
}

/** The xmax of a snapshot in PostgreSQL's form, `xmin:xmax:` and the transactions between; null for what it would refuse. */
function nextTransaction(snapshot: string): bigint | null {
  const [, xmin, xmax, underWay] = /^(\d{1,19}):(\d{1,19}):((?:\d{1,19}(?:,\d{1,19})*)?)$/.exec(snapshot) ?? []
  if (xmin === undefined || xmax === undefined || snapshot.length > 2000) return null
  const next = BigInt(xmax)
  const ids = (underWay ?? '').split(',').filter(Boolean).map(BigInt)
  const isOrdered = [BigInt(xmin), ...ids].every((id, index, all) => id >= (all[index - 1] ?? 1n))
  const last = ids.at(-1)
  return isOrdered && BigInt(xmin) <= next && (last === undefined || last < next) ? next : null
}
