import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

import { logFault } from '#server-kit/log-fault.ts'
import type { Services } from '#platform/ground/context/context.ts'
import type { ManagedKeys } from '#platform/ground/services/credit-terms.ts'
import { type EgressSettings, noEgressSettings } from '#platform/ground/egress/egress-settings.ts'
import { addressesForService } from '#platform/ground/egress/resolve-destination.ts'
import { repeat } from '#platform/ground/loops/repeat.ts'
import { builtInPrices, type ModelPrices } from '#platform/ground/models/model-prices.ts'
import { startModelGateway } from '#platform/engine/run-engine/models/start-model-gateway.ts'
import type { CheckAddress } from '#platform/engine/model-gateway/open-dispatchers.ts'
import type { ProviderAddresses } from '#platform/engine/model-gateway/provider-addresses.ts'
import { traceReceivers } from '#platform/engine/run-engine/traces/open-traces.ts'
import { pinnedLoader } from '#platform/engine/run-engine/plan/load-pinned.ts'
import { createJobs } from './jobs.ts'
import { createQueueWatch } from './watch-queue.ts'
import { watchReadiness } from './watch-readiness.ts'
import { defaultLeaseSeconds } from '#platform/queue/run-queue/leases.ts'
import { reclaimLostRuns } from '#platform/queue/run-queue/reclaim-lost-runs.ts'
import { removeFolder } from '#platform/ground/files/remove-folder.ts'
import { killLeftovers } from '#platform/engine/sandbox/kill-leftovers.ts'
import type { Images } from '#platform/engine/images/open-images.ts'
import { placesInSandbox, type RunPlaces } from '#platform/engine/images/run-place.ts'
import type { Sandbox } from '#platform/engine/sandbox/sandbox.ts'

export type RunEngineServices = Pick<Services, 'db' | 'blobs' | 'keys' | 'wakeProjector'>

/** Where runs execute: in a sandbox of this machine, or in the places of another backend. */
type Backend =
  | {
      sandbox: Sandbox
      /** The images of this worker. Without them, runs in an image end as errored. */
      images?: Images
      places?: undefined
    }
  | { places: RunPlaces; sandbox?: undefined }

type RunEngineOptions = Backend & EngineSettings

export type EngineSettings = {
  /** This worker's own folder. It is emptied at the start and contains the workspaces of current runs. */
  workFolder: string
  /** Must be unique to the process. Random by default. */
  workerId?: string
  /** Whether another worker is known to have ended, so that its runs need not wait for its lease. */
  hasEnded?: (workerId: string) => boolean
  /** The number of runs and builds to execute at once. */
  slots?: number
  leaseSeconds?: number
  /** Prices of models. The default is the built-in table. */
  prices?: ModelPrices
  /** The operator's settings for the network of runs. The default is none. */
  egress?: EgressSettings
  /** The operator's model keys, for runs that are charged to credit. */
  managedKeys?: ManagedKeys
  /** The operator's addresses of model providers. */
  providerAddresses?: ProviderAddresses
  /** Checks the address of a model server that a definition chose. */
  checkAddress?: CheckAddress
  /** Without pauses, mock runs end at once; for measurements. The default is true. */
  mockPauses?: boolean
  /** Called for errors of the engine itself. Errors of a run are written to the run. */
  onError?: (error: unknown, about: string) => void
}

export type RunEngine = {
  /** Looks for work and cancellations now, instead of within a second. */
  wake: () => void
  /** Claims nothing more. Resolves when the runs and builds in progress have ended, or `signal` aborts. */
  drain: (signal: AbortSignal) => Promise<void>
  /** Seconds since a run or build was in progress here. */
  idleSeconds: () => number
  /** Kills running runs, requeues them, and resolves when no process is left. */
  stop: () => Promise<void>
}

const usualHeartbeatMs = 1000
const drainLookMs = 100

/**
 * Starts a worker. It claims queued runs and builds, renews their leases, and reclaims the runs and builds of lost
 * workers.
 */
export function startRunEngine(services: RunEngineServices, options: RunEngineOptions): RunEngine {
  const {
    workerId = randomUUID(),
    slots = 2,
    leaseSeconds = defaultLeaseSeconds,
    workFolder,
    prices = builtInPrices,
  } = options
  const { egress = noEgressSettings } = options
  const onError = options.onError ?? ((error: unknown, about: string) => logFault(about, error))
  const heartbeatMs = Math.min(usualHeartbeatMs, (leaseSeconds * 1000) / 3)
  const { db } = services
  const addresses = options.providerAddresses ?? {}
  const modelGateway = startModelGateway({
    db,
    prices,
    addresses,
    checkAddress: options.checkAddress ?? addressesForService(egress.exceptions),
    proxy: egress.upstream,
  })
  const places = options.places ?? placesInSandbox(options.sandbox, options.images)
  const executor = {
    ...services,
    places,
    prices,
    managedKeys: options.managedKeys,
    egress,
    modelGateway,
    openTraces: traceReceivers(db),
    loadPinned: pinnedLoader(db),
    mockPauses: options.mockPauses ?? true,
  }
  let busyAt = performance.now()
  const stayBusy = () => void (busyAt = performance.now())
  const jobs = createJobs(executor, {
    workFolder,
    onError,
    onEnd: services.wakeProjector,
    onDrop: () => queue.dropped(),
    onFree() {
      stayBusy()
      loop.wake()
    },
  })
  const queue = createQueueWatch(services, {
    worker: { workerId, leaseSeconds },
    jobs,
    slots,
    heartbeatMs,
    hasEnded: options.hasEnded,
    canStartRuns: watchReadiness({ workFolder, places, onError }),
    onCutOff(error, isFirst) {
      if (isFirst) onError(error, 'The run engine could not reach its queue')
      // Without its queue, a worker cannot know that there is no work.
      stayBusy()
    },
  })
  const isBusy = () => queue.isClaiming() || jobs.active().length > 0
  let isFolderReady = false
  const prepareFolder = async () => {
    await killLeftovers(workFolder)
    await removeFolder(workFolder)
    await mkdir(workFolder, { recursive: true })
    isFolderReady = true
  }
  const loop = repeat({
    firstMs: 0,
    everyMs: heartbeatMs,
    works: [
      {
        async run(stopping) {
          // Before the first run, which would lose its folder to it.
          if (!isFolderReady) await prepareFolder()
          await queue.look(stopping)
        },
        fault: 'The run engine could not prepare its folder',
      },
    ],
    onFault: onError,
  })

  return {
    wake() {
      queue.beatNext()
      loop.wake()
    },
    async drain(signal) {
      queue.drain()
      // A claim that is under way still starts its runs.
      while (!signal.aborted && isBusy()) await delay(drainLookMs, undefined, { signal }).catch(() => {})
    },
    idleSeconds() {
      if (isBusy()) stayBusy()
      return (performance.now() - busyAt) / 1000
    },
    async stop() {
      const stopped = loop.stop()
      jobs.abandonAll()
      await stopped
      // The loop may have claimed more runs before it saw the stop.
      jobs.abandonAll()
      await jobs.allDone()
      await modelGateway.close()
      const workers = { workerIds: [workerId] }
      await reclaimLostRuns(services, { workers, reason: 'The worker was stopped', givesUp: false }).catch(
        (error: unknown) => onError(error, 'The runs of this worker continue elsewhere once its lease expires'),
      )
    },
  }
}
