import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'

import type { Services } from '#platform/context/context.ts'
import type { ManagedKeys } from '#platform/context/credit-terms.ts'
import { builtInPrices, type ModelPrices } from '#platform/models/model-prices.ts'
import { claimBuild } from '#platform/run-queue/claim-builds.ts'
import { claimRuns } from '#platform/run-queue/claim-runs.ts'
import { createJobs, type Jobs } from './jobs.ts'
import type { Worker } from '#platform/run-queue/leases.ts'
import { reclaimLostRuns } from '#platform/run-queue/reclaim-lost-runs.ts'
import { removeFolder } from '#platform/run-engine/workspace/remove-folder.ts'
import { renewLeases } from '#platform/run-queue/renew-leases.ts'
import { killLeftovers } from './sandbox/kill-leftovers.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import { watchLeases } from '#platform/run-queue/watch-leases.ts'

export type RunEngineServices = Pick<Services, 'db' | 'blobs' | 'keys' | 'wakeProjector'>

export type RunEngineOptions = {
  sandbox: Sandbox
  /** This worker's own folder: emptied at the start, holds the workspaces of the runs it works on. */
  workFolder: string
  /** Must be new for every process; a random one unless told. */
  workerId?: string
  /** Runs and builds at once. */
  slots?: number
  leaseSeconds?: number
  /** What models cost; the built-in table unless told. */
  prices?: ModelPrices
  /** The operator's keys, for the runs that were submitted to be charged for them. */
  managedKeys?: ManagedKeys
  /** Learns of what went wrong in the engine itself; what goes wrong in a run is written to the run. */
  onError?: (error: unknown, about: string) => void
}

export type RunEngine = {
  /** Looks for work, and for cancellations, now instead of within a second. */
  wake: () => void
  /** Kills what runs, puts it back into the queue and returns when no process is left. */
  stop: () => Promise<void>
}

const heartbeatMs = 1000

/** Starts a worker: it claims queued runs and builds, keeps their leases, and takes back what lost workers held. */
export function startRunEngine(services: RunEngineServices, options: RunEngineOptions): RunEngine {
  const { workerId = randomUUID(), slots = 2, leaseSeconds = 8, workFolder, sandbox, prices = builtInPrices } = options
  const onError = options.onError ?? ((error: unknown, about: string) => console.error(about, error))
  const worker: Worker = { workerId, leaseSeconds }
  const bell = createBell()
  const executor = { ...services, sandbox, prices, managedKeys: options.managedKeys }
  let mayHoldUnknown = false
  const jobs = createJobs(executor, {
    workFolder,
    onError,
    onEnd: services.wakeProjector,
    onDrop: () => (mayHoldUnknown = true),
    onFree: bell.ring,
  })
  const stopping = new AbortController()

  const work = async () => {
    await killLeftovers(workFolder)
    await removeFolder(workFolder)
    await mkdir(workFolder, { recursive: true })
    const leases = watchLeases(services.db, leaseSeconds)
    let isCutOff = false
    while (!stopping.signal.aborted) {
      try {
        await keepLeases(services, worker, jobs)
        if (mayHoldUnknown) await returnUnknown(services, workerId, jobs)
        mayHoldUnknown = false
        isCutOff = false
        await reclaimLostRuns(services, { workers: { heartbeats: await leases.look() } })
        if (!stopping.signal.aborted) await fillSlots(services, worker, jobs, slots)
      } catch (error) {
        // Runs in progress continue; they are settled once the queue answers, unless another worker has taken them over.
        if (!isCutOff) onError(error, 'The run engine could not reach its queue')
        isCutOff = true
        leases.forget()
        mayHoldUnknown = true
      }
      await bell.untilRung(Math.min(heartbeatMs, (leaseSeconds * 1000) / 3))
    }
  }
  const working = work().catch((error: unknown) => onError(error, 'The run engine stopped'))

  return {
    wake: bell.ring,
    async stop() {
      stopping.abort()
      jobs.abandonAll()
      bell.ring()
      await working
      // The loop may have claimed once more before it saw the end.
      jobs.abandonAll()
      await jobs.allDone()
      const workers = { workerIds: [workerId] }
      await reclaimLostRuns(services, { workers, reason: 'The worker was stopped', givesUp: false }).catch(
        (error: unknown) => onError(error, 'The runs of this worker continue elsewhere once its lease expires'),
      )
    },
  }
}

const idsOf = (active: ReturnType<Jobs['active']>) => ({
  runIds: active.flatMap((job) => (job.kind === 'run' ? [job.id] : [])),
  requestIds: active.flatMap((job) => (job.kind === 'build' ? [job.id] : [])),
})

/** Claims in our name that nobody works on: the answer to one was lost with its connection, or its disk was full. */
const returnUnknown = (services: RunEngineServices, workerId: string, jobs: Jobs) =>
  reclaimLostRuns(services, {
    workers: { unknownTo: workerId, ...idsOf(jobs.active()) },
    reason: 'The worker could not continue',
    givesUp: false,
  })

async function keepLeases(services: RunEngineServices, worker: Worker, jobs: Jobs) {
  const active = jobs.active()
  if (active.length === 0) return
  const { held, canceled } = await renewLeases(services.db, worker, idsOf(active))
  for (const job of active) {
    if (!held.has(job.claim)) job.stop('abandoned')
    else if (canceled.has(job.claim)) job.stop('canceled')
  }
}

/** Builds first: runs wait for them. */
async function fillSlots({ db }: RunEngineServices, worker: Worker, jobs: Jobs, slots: number) {
  while (jobs.active().length < slots) {
    const build = await claimBuild(db, worker)
    if (!build) break
    jobs.startBuild(build)
  }
  const free = slots - jobs.active().length
  if (free <= 0) return
  for (const run of await claimRuns(db, worker, free)) jobs.startRun(run)
}

/** Wakes one waiting loop; a ring while nobody waits is not lost. */
function createBell() {
  let isRung = false
  let wakeUp: (() => void) | null = null
  return {
    ring() {
      isRung = true
      wakeUp?.()
    },
    async untilRung(timeoutMs: number) {
      if (!isRung) {
        await new Promise<void>((done) => {
          const timer = setTimeout(done, timeoutMs)
          wakeUp = () => {
            clearTimeout(timer)
            done()
          }
        })
      }
      wakeUp = null
      isRung = false
    },
  }
}
