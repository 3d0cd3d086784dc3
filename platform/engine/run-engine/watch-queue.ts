import { leasesLost, runsClaimed, runsReclaimed } from '#platform/ground/metrics/metrics.ts'
import { claimBuild } from '#platform/queue/run-queue/claim-builds.ts'
import { claimRuns } from '#platform/queue/run-queue/claim-runs.ts'
import type { Worker } from '#platform/queue/run-queue/leases.ts'
import { reclaimLostRuns } from '#platform/queue/run-queue/reclaim-lost-runs.ts'
import { renewLeases } from '#platform/queue/run-queue/renew-leases.ts'
import { watchLeases } from '#platform/queue/run-queue/watch-leases.ts'
import type { Executor } from './execute-run.ts'
import type { Jobs } from './jobs.ts'

type QueueServices = Pick<Executor, 'db' | 'blobs' | 'keys'>

type Looking = {
  worker: Worker
  jobs: Jobs
  /** The number of runs and builds to execute at once. */
  slots: number
  heartbeatMs: number
  /** Whether another worker is known to have ended, so that its runs need not wait for its lease. */
  hasEnded: ((workerId: string) => boolean) | undefined
  /** Whether a run that starts now can run here. */
  canStartRuns: () => Promise<boolean>
  /** Called after each look that the queue did not answer. */
  onCutOff: (error: unknown, isFirst: boolean) => void
}

/**
 * What a worker does with the queue: it renews the leases of its jobs and stops the jobs whose lease is lost, returns
 * claims that no job holds, reclaims the runs of lost workers, and claims runs and builds for free slots.
 */
export function createQueueWatch(
  services: QueueServices,
  { worker, jobs, slots, heartbeatMs, hasEnded, canStartRuns, onCutOff }: Looking,
) {
  const leases = watchLeases(services.db, worker.leaseSeconds, { hasEnded })
  let mustBeat = true
  let beatAt = 0
  let mayHoldUnknown = false
  let mayHaveBuilds = true
  let isClaiming = false
  let isDraining = false
  let isCutOff = false

  const beat = async () => {
    mustBeat = false
    await keepLeases(services, worker, jobs)
    if (mayHoldUnknown) {
      mayHoldUnknown = false
      await returnUnknown(services, worker, jobs)
    }
    runsReclaimed.inc(await reclaimLostRuns(services, { workers: { heartbeats: await leases.look() } }))
    beatAt = performance.now() + heartbeatMs
    mayHaveBuilds = true
  }

  return {
    /** The next look renews leases and sees cancellations, even if the last one just did. */
    beatNext: () => void (mustBeat = true),
    /** A claim was given up, so the next look returns it. */
    dropped() {
      mayHoldUnknown = true
      mustBeat = true
    },
    /** Nothing is claimed from now on. */
    drain: () => void (isDraining = true),
    isClaiming: () => isClaiming,
    /** Does what is due. Runs in progress continue while the queue does not answer, and are settled once it does. */
    async look(stopping: AbortSignal) {
      try {
        // Not after every run that ends: leases and other workers need a look only once per heartbeat.
        if (mustBeat || performance.now() >= beatAt) await beat()
        isCutOff = false
        const mayStart = await canStartRuns()
        isClaiming = mayStart && !isDraining && !stopping.aborted
        if (isClaiming) mayHaveBuilds = await fillSlots(services, worker, jobs, { slots, mayHaveBuilds })
      } catch (error) {
        onCutOff(error, !isCutOff)
        isCutOff = true
        // No worker could renew meanwhile, and the response to a claim may be lost.
        leases.forget()
        mayHoldUnknown = true
        mustBeat = true
      } finally {
        isClaiming = false
      }
    },
  }
}

const idsOf = (active: ReturnType<Jobs['active']>) => ({
  runIds: active.flatMap((job) => (job.kind === 'run' ? [job.id] : [])),
  requestIds: active.flatMap((job) => (job.kind === 'build' ? [job.id] : [])),
})

/**
 * Requeues claims of this worker that no job holds: the response to a claim was lost with its connection, or the disk
 * was full.
 */
const returnUnknown = (services: QueueServices, { workerId }: Worker, jobs: Jobs) =>
  reclaimLostRuns(services, {
    workers: { unknownTo: workerId, ...idsOf(jobs.active()) },
    reason: 'The worker could not continue',
    givesUp: false,
  })

async function keepLeases(services: QueueServices, worker: Worker, jobs: Jobs) {
  const active = jobs.active()
  if (active.length === 0) return
  const { held, canceled } = await renewLeases(services.db, worker, idsOf(active))
  for (const job of active) {
    if (!held.has(job.claim)) {
      leasesLost.inc()
      job.stop('abandoned')
    } else if (canceled.has(job.claim)) job.stop('canceled')
  }
}

/**
 * Claims builds before runs, because runs wait for builds, but builds leave one of several slots to waiting runs.
 * Returns whether builds may still be queued; they are not looked for if not.
 */
async function fillSlots(
  { db }: QueueServices,
  worker: Worker,
  jobs: Jobs,
  { slots, mayHaveBuilds }: { slots: number; mayHaveBuilds: boolean },
) {
  const free = () => jobs.free(slots)
  let mayHaveMore = mayHaveBuilds
  const startBuilds = async (limit: number) => {
    while (mayHaveMore && free() > 0 && jobs.active().filter(({ kind }) => kind === 'build').length < limit) {
      const build = await claimBuild(db, worker)
      if (build) jobs.startBuild(build)
      else mayHaveMore = false
    }
  }
  await startBuilds(Math.max(1, slots - 1))
  if (free() > 0) {
    const claimed = await claimRuns(db, worker, free())
    runsClaimed.inc(claimed.length)
    for (const run of claimed) jobs.startRun(run)
  }
  await startBuilds(slots)
  return mayHaveMore
}
