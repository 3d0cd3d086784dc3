import type { Database } from '#platform/ground/database/open-database.ts'
import type { HostTraffic } from '#platform/ground/egress/network-record.ts'
import { retryDuringOutages } from '#platform/ground/failures/retry-during-outages.ts'
import { toStorableText } from '#platform/queue/run-queue/storable-text.ts'
import { type TrafficRow, upsertTraffic } from './store.ts'

export type TrafficRecording = ReturnType<typeof recordTraffic>

type Attempt = { runId: string; attempt: number }

const everyMs = 5000

const maxHostCharacters = 300

/**
 * Writes the traffic of an attempt every few seconds while it changes, so that a killed worker loses little, and once
 * more at its end.
 */
export function recordTraffic(
  db: Database,
  attempt: Attempt,
  read: () => HostTraffic[],
  maskHost: (name: string) => string,
) {
  let written = '[]'
  const write = async () => {
    const traffic = read()
    const text = JSON.stringify(traffic)
    if (text === written) return
    const [first, ...rest] = toRows(attempt, traffic, maskHost)
    if (first) await upsertTraffic(db, [first, ...rest])
    written = text
  }
  let writing = Promise.resolve()
  const timer = setInterval(() => {
    // The next write includes the counts of one that fails.
    writing = writing.then(write).catch(() => {})
  }, everyMs)
  return {
    /** Waits for a database that fails until `abandoned` aborts. */
    async end(abandoned: AbortSignal) {
      clearInterval(timer)
      await writing
      if (!abandoned.aborted) await retryDuringOutages(write, abandoned)
    },
  }
}

/**
 * A host name may contain a secret, and is cut only once that is masked. Names that are equal then are counted together.
 */
function toRows(attempt: Attempt, traffic: readonly HostTraffic[], maskHost: (name: string) => string) {
  const rows = new Map<string, TrafficRow>()
  for (const { host: asked, ...counts } of traffic) {
    const host = toStorableText(maskHost(asked)).slice(0, maxHostCharacters)
    const key = JSON.stringify([host, counts.port])
    const known = rows.get(key)
    rows.set(key, known ? added(known, counts) : { ...attempt, host, ...counts })
  }
  return rows.values()
}

const added = (row: TrafficRow, counts: Omit<HostTraffic, 'host'>): TrafficRow => ({
  ...row,
  connections: row.connections + counts.connections,
  bytesUp: row.bytesUp + counts.bytesUp,
  bytesDown: row.bytesDown + counts.bytesDown,
  refusals: row.refusals + counts.refusals,
  refusedBecause: counts.refusedBecause ?? row.refusedBecause,
})
