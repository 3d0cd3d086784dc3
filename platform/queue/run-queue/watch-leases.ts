import { and, eq, isNotNull } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { ciBuilds, runs } from '#platform/ground/database/tables/runs.ts'

/** A heartbeat, as stored in the rows that it renewed. */
export type Heartbeat = { leaseOwner: string; leaseExpiresAt: string }

/**
 * Two looks further apart than this say nothing about the time between them: the database or this process may have been
 * frozen. It is longer than PostgreSQL lets a frozen worker's locks block us, and shorter than a lease.
 */
const maxGapMs = 7000

type Watch = {
  now?: () => number
  /** Whether a worker is known to have ended. */
  hasEnded?: (workerId: string) => boolean
}

/**
 * Finds heartbeats that have not changed for the length of a lease, measured by this process's own clock. A step of the
 * database's clock therefore neither loses every lease at once nor keeps a dead worker's lease for an hour. While the
 * database does not answer, no worker can renew, so the wait restarts after a gap. A worker that `hasEnded` is lost once
 * its heartbeat was the same in two looks: its lock may only seem free, as on a network file system.
 */
export function watchLeases(
  db: Database,
  leaseSeconds: number,
  { now = () => performance.now(), hasEnded = () => false }: Watch = {},
) {
  let firstSeen = new Map<string, number>()
  let lookedAt = -Infinity

  return {
    /** Call it when the database did not answer, because no worker could renew meanwhile. */
    forget() {
      firstSeen = new Map()
    },
    /** Call it about once a second. Returns the heartbeats of lost workers. */
    async look(): Promise<Heartbeat[]> {
      const heartbeats = await findHeartbeats(db)
      const at = now()
      const before = at - lookedAt > maxGapMs ? new Map<string, number>() : firstSeen
      firstSeen = new Map(heartbeats.map((heartbeat) => [keyOf(heartbeat), before.get(keyOf(heartbeat)) ?? at]))
      lookedAt = at
      const isOld = (heartbeat: Heartbeat) => at - (before.get(keyOf(heartbeat)) ?? Infinity) >= leaseSeconds * 1000
      const ended = new Map<string, boolean>()
      const isEnded = (heartbeat: Heartbeat) => {
        const { leaseOwner } = heartbeat
        if (!before.has(keyOf(heartbeat))) return false
        if (!ended.has(leaseOwner)) ended.set(leaseOwner, hasEnded(leaseOwner))
        return ended.get(leaseOwner)
      }
      return heartbeats.filter((heartbeat) => isOld(heartbeat) || isEnded(heartbeat))
    },
  }
}

const keyOf = ({ leaseOwner, leaseExpiresAt }: Heartbeat) => `${leaseOwner} ${leaseExpiresAt}`

async function findHeartbeats(db: Database): Promise<Heartbeat[]> {
  const select = (table: typeof runs | typeof ciBuilds) =>
    db
      .selectDistinct({ leaseOwner: table.leaseOwner, leaseExpiresAt: table.leaseExpiresAt })
      .from(table)
      .where(and(eq(table.status, 'running'), isNotNull(table.leaseOwner)))
  const found = [...(await select(runs)), ...(await select(ciBuilds))]
  return found.filter((row): row is Heartbeat => row.leaseOwner !== null && row.leaseExpiresAt !== null)
}
