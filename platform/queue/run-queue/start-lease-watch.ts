import type { Services } from '#platform/ground/context/context.ts'
import { repeat } from '#platform/ground/loops/repeat.ts'
import { readOutage } from '#platform/ground/failures/outage.ts'
import { runsReclaimed } from '#platform/ground/metrics/metrics.ts'
import { defaultLeaseSeconds } from './leases.ts'
import { reclaimLostRuns } from './reclaim-lost-runs.ts'
import { watchLeases } from './watch-leases.ts'

type Times = { leaseSeconds?: number; everyMs?: number }

/**
 * Requeues the runs of lost workers from a server that executes none itself. Workers do the same, but all of them may
 * have died. Returns a stop function.
 */
export function startLeaseWatch(
  services: Pick<Services, 'db' | 'blobs'>,
  { leaseSeconds = defaultLeaseSeconds, everyMs = 1000 }: Times = {},
) {
  const leases = watchLeases(services.db, leaseSeconds)
  const look = async () => {
    try {
      runsReclaimed.inc(await reclaimLostRuns(services, { workers: { heartbeats: await leases.look() } }))
    } catch (error) {
      leases.forget()
      // Failing requests and /readyz already report an outage.
      if (!readOutage(error)) throw error
    }
  }
  return repeat({ everyMs, works: [{ run: look, fault: 'Runs of lost workers could not be requeued' }] }).stop
}
