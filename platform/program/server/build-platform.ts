import { hostname } from 'node:os'
import { join } from 'node:path'

import { logFault, logTrouble } from '#server-kit/log-fault.ts'
import { claimEmbeddedAnalytics } from '#platform/analysis/projection/claim-embedded-analytics.ts'
import { startProjector } from '#platform/analysis/projection/start-projector.ts'
import { openAuditLog } from '#platform/ground/services/audit-log.ts'
import { platformActor } from '#platform/ground/services/audit-events.ts'
import { folderStore } from '#platform/ground/blobs/folder-blobs.ts'
import { withHeldDeletes } from '#platform/ground/blobs/hold-deletes.ts'
import { openBlobs } from '#platform/ground/blobs/open-blobs.ts'
import { requireOwnBlobs } from '#platform/ground/blobs/require-own-blobs.ts'
import { repeat } from '#platform/ground/loops/repeat.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { openPayments } from '#platform/inputs/credits/payments/open-payments.ts'
import { newestMigration, openDatabase } from '#platform/ground/database/open-database.ts'
import { measureAnalytics } from '#platform/ground/metrics/measure-analytics.ts'
import { serveMetrics } from '#platform/ground/metrics/serve-metrics.ts'
import { noSignals, openSignals } from '#platform/ground/database/open-signals.ts'
import { flushSpans } from '#platform/ground/tracing/flush-spans.ts'
import { requirePrivateFolder } from '#platform/ground/database/private-folder.ts'
import { waitForFolder } from '#platform/ground/database/wait-for-folder.ts'
import { openInstallationKeys } from '#platform/ground/installation-keys/open-installation-keys.ts'

import { reclaimLostRuns } from '#platform/queue/run-queue/reclaim-lost-runs.ts'
import { startLeaseWatch } from '#platform/queue/run-queue/start-lease-watch.ts'
import { loadModelPrices } from '#platform/ground/models/load-model-prices.ts'
import { type RunEngine, startRunEngine } from '#platform/engine/run-engine/start-run-engine.ts'
import { chooseBackend, sandboxOfRuns } from './choose-backend.ts'
import { openWorkFolder } from '#platform/engine/workspace/work-folder.ts'
import type { InstallationKeys } from '#platform/ground/installation-keys/installation-keys.ts'
import type { Analytics } from '#platform/ground/services/analytics.ts'
import { chdbAnalytics } from '#platform/analysis/analytics/chdb/chdb-analytics.ts'
import type { MailSettings } from '#platform/people/mail/read-mail-settings.ts'
import type { Mailer } from '#platform/ground/services/mailer.ts'
import type { ClickhouseAddress } from '#platform/analysis/analytics/clickhouse/read-address.ts'
import { rememberAnswers } from '#platform/analysis/analytics/remember-answers.ts'
import { startWebhookSender } from '#platform/people/webhooks/start-webhook-sender.ts'
import { webhookClient } from '#platform/people/webhooks/webhook-client.ts'
import { allRoutes } from './all-routes.ts'
import { findChannel } from './channel-file.ts'
import { startBulkActionWorker } from '#platform/results/bulk-actions/start-worker.ts'
import { startImportWorker } from '#platform/program/imports/start-worker.ts'
import { startMailSender } from '#platform/people/mail/start-mail-sender.ts'
import { startDecisions } from '#platform/queue/decisions/start-decisions.ts'
import { startBudgetWarnings } from '#platform/inputs/budgets/start-warnings.ts'
import { startScheduler } from '#platform/results/schedules/start-scheduler.ts'
import { startCleanup } from './start-cleanup.ts'
import { listParts } from './start-parts.ts'
import { buildHttp } from './build-http.ts'
import type { PlatformConfig } from './platform-config.ts'

type AnalyticsLocation = {
  /** The folder of the embedded engines. */
  folder: string
  /** The ClickHouse server to use instead; null for embedded engines. */
  clickhouse: ClickhouseAddress | null
  keys: InstallationKeys
}

/**
 * Opens analytics. Costs nothing until the first query, which starts the organization's engine or contacts the server.
 * Other servers may write to a ClickHouse, so its answers are not remembered.
 */
async function openAnalytics({ folder, clickhouse, keys }: AnalyticsLocation): Promise<Analytics> {
  if (!clickhouse) return rememberAnswers(measureAnalytics(chdbAnalytics({ folder })))
  // The libraries of what an installation does not use stay out of its memory.
  const { clickhouseAnalytics } = await import('#platform/analysis/analytics/clickhouse/clickhouse-analytics.ts')
  return measureAnalytics(clickhouseAnalytics({ ...clickhouse, keys }))
}

async function openMailer(settings: MailSettings): Promise<Mailer> {
  const { smtpMailer } = await import('#platform/people/mail/smtp-mailer.ts')
  return smtpMailer(settings)
}

/** What every process of the platform has open. */
async function openBase(config: PlatformConfig, isWorker: boolean) {
  const { dataFolder, databaseUrl } = config
  requirePrivateFolder(dataFolder)
  const isServed = async () => (await findChannel(dataFolder)) !== null
  const lock = isWorker && databaseUrl ? undefined : await waitForFolder(dataFolder, { isServed })
  const prices = loadModelPrices(config.modelPricesFile)
  const [blobs, database, backend] = await Promise.all([
    openBlobs(config).then(withHeldDeletes),
    openDatabase(databaseUrl ? { url: databaseUrl } : { folder: join(dataFolder, 'state') }),
    chooseBackend(config),
  ])
  const keys = openInstallationKeys({
    configured: config.encryptionKeys,
    dataFolder,
    isEmbedded: databaseUrl === undefined,
  })
  return { lock, prices, blobs, database, backend, keys }
}

type Base = Awaited<ReturnType<typeof openBase>>
type Signals = ReturnType<typeof openWakes>

/** What wakes the loops of this process and, where others share the database, theirs. */
function openWakes({ databaseUrl }: PlatformConfig, { database }: Base) {
  const wake = { queued: () => {}, ended: () => {} }
  const onSignal = (signal: keyof typeof wake) => wake[signal]()
  const signals = databaseUrl ? openSignals(database.db, databaseUrl, { onSignal }) : noSignals
  const wakeAll = (signal: keyof typeof wake) => () => {
    wake[signal]()
    signals.send(signal)
  }
  return { wake, wakeAll, listen: signals.listen, close: signals.close }
}

async function openServices(config: PlatformConfig, base: Base, { wakeAll }: Signals): Promise<Services> {
  const { blobs, database, keys, prices, backend } = base
  const { dataFolder, publicUrl, clickhouse } = config
  return {
    db: database.db,
    blobs,
    analytics: await openAnalytics({ folder: join(dataFolder, 'analytics'), clickhouse, keys }),
    keys,
    sandbox: sandboxOfRuns(config, backend.status),
    creditTerms: { ...config.credits, prices },
    payments: openPayments({ ...config.credits, isEmbedded: !config.databaseUrl, publicUrl }),
    webhookClient: webhookClient({ exceptions: config.webhookExceptions, proxy: config.egress.upstream }),
    mailer: config.mail && (await openMailer(config.mail)),
    publicUrl,
    singleSignOnKey: config.singleSignOnKey,
    by: platformActor,
    auditLog: openAuditLog(dataFolder),
    ...(database.copyTo && {
      state: {
        dataFolder,
        copyTo: database.copyTo,
        holdDeletes: blobs.holdDeletes,
        areDeletesHeld: blobs.areDeletesHeld,
        migration: newestMigration(),
        bucket: config.bucket && blobs.place,
      },
    }),
    wakeRunEngine: wakeAll('queued'),
    wakeProjector: wakeAll('ended'),
  }
}

/**
 * Opens and wires all parts of the platform. Nothing runs or listens until it is started. Embedded engines need
 * exclusive use of the data folder; a worker next to a server on the same database does not.
 */
export async function buildPlatform(config: PlatformConfig, { isWorker = false } = {}) {
  const base = await openBase(config, isWorker)
  const signals = openWakes(config, base)
  const services = await openServices(config, base, signals)
  const { databaseUrl } = config
  let runEngine: RunEngine | undefined
  let stopProjector = () => {}

  const claimOwnBlobs = async (mayClaim: boolean) => {
    /** Where blobs are without a bucket. An installation from before store ids may have some there. */
    const earlier = config.bucket ? folderStore(join(config.dataFolder, 'blobs')) : null
    await requireOwnBlobs(services.db, base.blobs, { mayClaim, earlier })
  }

  const parts = listParts({
    signals: { start: () => signals.listen() },

    /**
     * Throws if another server feeds embedded analytics from the same database. Any number of servers may feed
     * ClickHouse.
     */
    analyticsClaim: {
      async start() {
        if (!databaseUrl || config.clickhouse) return
        const onLost = (error: Error) => {
          logTrouble(error.message)
          stopProjector()
        }
        return (await claimEmbeddedAnalytics(databaseUrl, onLost)).release
      },
    },

    webhooks: { start: () => startWebhookSender(services) },
    mail: { start: () => startMailSender(services) },

    blobs: {
      async start() {
        await claimOwnBlobs(true)
        // Not awaited; the next start removes what is left.
        void base.blobs
          .removeUnfinished()
          .catch((error: unknown) => logFault('Unfinished uploads could not be removed', error))
      },
    },

    cleanup: { needs: ['blobs'], start: () => startCleanup(services) },
    projector: {
      needs: ['blobs', 'analyticsClaim', 'signals'],
      start() {
        const projector = startProjector(services)
        signals.wake.ended = projector.wake
        stopProjector = () => void projector.stop()
        return projector.stop
      },
    },

    /**
     * The lock proves that earlier lease holders of an embedded database have ended, so their runs are requeued at
     * once.
     */
    lostRuns: {
      async start() {
        if (!databaseUrl) await reclaimLostRuns(services, { workers: 'all' })
      },
    },

    runEngine: {
      needs: ['signals', 'lostRuns'],
      async start() {
        await claimOwnBlobs(!isWorker || !databaseUrl)
        const work = await openWorkFolder(join(config.dataFolder, 'work'), { isAlone: !databaseUrl })
        const engine = startRunEngine(services, {
          places: await base.backend.open({ blobs: services.blobs, workFolder: work.workFolder }),
          prices: base.prices,
          managedKeys: config.credits.managedKeys,
          providerAddresses: config.providerAddresses,
          egress: config.egress,
          workerId: `${hostname()}:${process.pid}:${work.name}`,
          hasEnded: (id) => work.hasEnded(id.split(':').at(-1) ?? ''),
          slots: config.workerSlots,
          workFolder: work.workFolder,
        })
        signals.wake.queued = engine.wake
        runEngine = engine
        return async () => {
          await engine.stop()
          work.release()
        }
      },
    },

    /** In place of the run engine, where this process has no slots. */
    watch: {
      needs: ['lostRuns'],
      start() {
        const { look } = base.backend
        const work = look && { run: look, fault: 'The container engine could not be asked' }
        const stops = [
          ...(databaseUrl ? [startLeaseWatch(services)] : []),
          ...(work ? [repeat({ everyMs: 5000, works: [work] }).stop] : []),
        ]
        return () => Promise.all(stops.map((stop) => stop()))
      },
    },

    // These start or change runs, so they stop before the runs do.
    bulkActions: { start: () => startBulkActionWorker(services) },
    imports: { start: () => startImportWorker(services, { isAlone: !databaseUrl }) },
    scheduler: { start: () => startScheduler(services) },
    decisions: { start: () => startDecisions(services) },
    budgetWarnings: { start: () => startBudgetWarnings(services) },

    /** Serves `/metrics` if the operator gave it a port. */
    metrics: {
      async start() {
        if (config.metrics) return (await serveMetrics(services.db, config.metrics)).close
      },
    },
  })

  return {
    services,
    http: () => {
      const { hosts, trustedProxies, logLevel } = config
      return buildHttp(services, allRoutes, { logger: { level: logLevel }, hosts, trustedProxies })
    },

    start: parts.start,
    startRuns: () => parts.start(config.workerSlots === 0 ? 'watch' : 'runEngine'),

    /** Lets the runs in progress end and claims no more, for at most so many seconds or until `signal` aborts. */
    async drain({ seconds, signal }: { seconds: number; signal: AbortSignal }) {
      await runEngine?.drain(AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]))
    },

    /** Runs in progress continue; `close` returns them to the queue. */
    stopClaiming() {
      void runEngine?.drain(AbortSignal.abort())
    },

    /** Seconds since this process had a run or a build in progress. */
    idleSeconds: () => runEngine?.idleSeconds() ?? 0,

    async close() {
      await parts.stop()
      await signals.close()
      await services.analytics.close()
      await base.database.close()
      base.lock?.release()
      await flushSpans()
    },
  }
}
