import { hostname } from 'node:os'
import { join } from 'node:path'

import { type AnalyticsClaim, claimEmbeddedAnalytics } from '#platform/analysis/projection/claim-embedded-analytics.ts'
import { startProjector } from '#platform/analysis/projection/start-projector.ts'
import { openAuditLog } from '#platform/ground/context/audit-log.ts'
import { platformActor } from '#platform/ground/context/audit-events.ts'
import { folderStore } from '#platform/ground/blobs/folder-blobs.ts'
import { withHeldDeletes } from '#platform/ground/blobs/hold-deletes.ts'
import { openBlobs } from '#platform/ground/blobs/open-blobs.ts'
import { requireOwnBlobs } from '#platform/ground/blobs/require-own-blobs.ts'
import { type Loop, repeat } from '#platform/ground/loops/repeat.ts'
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
import { chooseBackend } from './choose-backend.ts'
import { openWorkFolder } from '#platform/engine/workspace/work-folder.ts'
import type { InstallationKeys } from '#platform/ground/context/installation-keys.ts'
import type { Analytics } from '#platform/ground/context/analytics.ts'
import { chdbAnalytics } from '#platform/analysis/analytics/chdb/chdb-analytics.ts'
import type { MailSettings } from '#platform/people/mail/read-mail-settings.ts'
import type { Mailer } from '#platform/ground/context/mailer.ts'
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

/**
 * Opens and wires all parts of the platform. Nothing runs or listens until it is started. Embedded engines need
 * exclusive use of the data folder; a worker next to a server on the same database does not.
 */
export async function buildPlatform(config: PlatformConfig, { isWorker = false } = {}) {
  requirePrivateFolder(config.dataFolder)
  const isServed = async () => (await findChannel(config.dataFolder)) !== null
  const lock = isWorker && config.databaseUrl ? undefined : await waitForFolder(config.dataFolder, { isServed })
  const inFolder = (name: string) => join(config.dataFolder, name)
  const { databaseUrl } = config
  /** Where blobs are without a bucket. An installation from before store ids may have some there. */
  const earlier = config.bucket ? folderStore(inFolder('blobs')) : null
  const prices = loadModelPrices(config.modelPricesFile)
  const [blobs, database, backend] = await Promise.all([
    openBlobs(config).then(withHeldDeletes),
    openDatabase(databaseUrl ? { url: databaseUrl } : { folder: inFolder('state') }),
    chooseBackend(config),
  ])
  let work: Awaited<ReturnType<typeof openWorkFolder>> | undefined
  let runEngine: RunEngine | undefined
  let projector: Loop | undefined
  let claim: AnalyticsClaim | undefined
  let metrics: Awaited<ReturnType<typeof serveMetrics>> | undefined
  /** Work that starts or changes runs stops before the runs, the rest after them. */
  const stopsBeforeRuns: (() => Promise<void>)[] = []
  const stopsAfterRuns: (() => Promise<void>)[] = []

  const wake = { queued: () => runEngine?.wake(), ended: () => projector?.wake() }
  const onSignal = (signal: keyof typeof wake) => wake[signal]()
  const signals = databaseUrl ? openSignals(database.db, databaseUrl, { onSignal }) : noSignals
  const wakeAll = (signal: keyof typeof wake) => () => {
    wake[signal]()
    signals.send(signal)
  }

  const keys = openInstallationKeys({
    configured: config.encryptionKeys,
    dataFolder: config.dataFolder,
    isEmbedded: databaseUrl === undefined,
  })
  const services: Services = {
    db: database.db,
    blobs,
    analytics: await openAnalytics({ folder: inFolder('analytics'), clickhouse: config.clickhouse, keys }),
    keys,
    sandbox: backend.status,
    creditTerms: { ...config.credits, prices },
    payments: openPayments({ ...config.credits, isEmbedded: !databaseUrl, publicUrl: config.publicUrl }),
    webhookClient: webhookClient({ exceptions: config.webhookExceptions, proxy: config.egress.upstream }),
    mailer: config.mail && (await openMailer(config.mail)),
    publicUrl: config.publicUrl,
    singleSignOnKey: config.singleSignOnKey,
    by: platformActor,
    auditLog: openAuditLog(config.dataFolder),
    ...(database.copyTo && {
      state: {
        dataFolder: config.dataFolder,
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

  const claimAnalytics = async (onLost: (error: Error) => void = () => {}) => {
    if (databaseUrl && !config.clickhouse) claim = await claimEmbeddedAnalytics(databaseUrl, onLost)
  }

  return {
    services,
    http: () => {
      const { hosts, trustedProxies, logLevel } = config
      return buildHttp(services, allRoutes, { logger: { level: logLevel }, hosts, trustedProxies })
    },

    /**
     * Throws if another server feeds embedded analytics from the same database. Any number of servers may feed
     * ClickHouse.
     */
    claimAnalytics: () => claimAnalytics(),

    /** Throws as `claimAnalytics` does. */
    async startProjector() {
      const stop = (error: Error) => {
        console.error(error.message)
        void projector?.stop()
      }
      await requireOwnBlobs(services.db, blobs, { mayClaim: true, earlier })
      // Not awaited; the next start removes what is left.
      void blobs
        .removeUnfinished()
        .catch((error: unknown) => console.error('Unfinished uploads could not be removed:', error))
      await claimAnalytics(stop)
      projector = startProjector(services)
      await signals.listen()
    },

    /** Serves `/metrics` if the operator gave it a port. */
    async startMetrics() {
      if (config.metrics) metrics = await serveMetrics(services.db, config.metrics)
    },

    startSender() {
      stopsAfterRuns.push(startWebhookSender(services), startMailSender(services))
    },

    startCleanup() {
      stopsAfterRuns.push(startCleanup(services))
    },

    startBulkActions() {
      stopsBeforeRuns.push(startBulkActionWorker(services))
    },

    startImports() {
      stopsBeforeRuns.push(startImportWorker(services, { isAlone: !databaseUrl }))
    },

    startBudgetWarnings() {
      stopsBeforeRuns.push(startBudgetWarnings(services))
    },

    startDecisions() {
      stopsBeforeRuns.push(startDecisions(services))
    },

    startScheduler() {
      stopsBeforeRuns.push(startScheduler(services))
    },

    /**
     * The lock proves that earlier lease holders of an embedded database have ended, so their runs are requeued at
     * once.
     */
    async startRunEngine() {
      if (!databaseUrl) await reclaimLostRuns(services, { workers: 'all' })
      if (config.workerSlots === 0) {
        if (databaseUrl) stopsBeforeRuns.push(startLeaseWatch(services))
        if (backend.look)
          stopsBeforeRuns.push(
            repeat({
              everyMs: 5000,
              works: [{ run: backend.look, fault: 'The container engine could not be asked' }],
            }).stop,
          )
        return
      }
      await requireOwnBlobs(services.db, blobs, { mayClaim: !isWorker || !databaseUrl, earlier })
      work = await openWorkFolder(inFolder('work'), { isAlone: !databaseUrl })
      const { workFolder, name, hasEnded } = work
      const workerId = `${hostname()}:${process.pid}:${name}`
      runEngine = startRunEngine(services, {
        places: await backend.open({ blobs: services.blobs, workFolder }),
        prices,
        managedKeys: config.credits.managedKeys,
        providerAddresses: config.providerAddresses,
        egress: config.egress,
        workerId,
        hasEnded: (id) => hasEnded(id.split(':').at(-1) ?? ''),
        slots: config.workerSlots,
        workFolder,
      })
      await signals.listen()
    },

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
      metrics?.close()
      for (const stop of stopsBeforeRuns) await stop()
      await runEngine?.stop()
      work?.release()
      await projector?.stop()
      for (const stop of stopsAfterRuns) await stop()
      await signals.close()
      await claim?.release()
      await services.analytics.close()
      await database.close()
      lock?.release()
      await flushSpans()
    },
  }
}
