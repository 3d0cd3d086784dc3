import { repeat } from '#platform/ground/loops/repeat.ts'
import { deleteOldActions } from '#platform/results/bulk-actions/start-worker.ts'
import { deleteOldImports } from '#platform/program/imports/discard-import.ts'
import { deleteOldMail } from '#platform/people/mail/delete-old-mail.ts'
import { deleteOldNotifications } from '#platform/people/notifications/delete-old-notifications.ts'
import { deleteOldPresence } from '#platform/results/report-presence/delete-old-presence.ts'
import { deleteOldDeliveries } from '#platform/people/webhooks/delete-old-deliveries.ts'
import { deleteRemovedBlobs } from '#platform/results/retention/forget-removals.ts'
import { type SweepServices, sweepRetention } from '#platform/results/retention/sweep-retention.ts'
import { deleteUnusedFiles } from '#platform/results/reports/delete-files.ts'

const everyMs = 60 * 60_000

/** The first pass is delayed, because it is not urgent and the start has more important work. */
const firstAfterMs = 60_000

const pausesOfBlobs = { firstMs: 0, everyMs: 5000, afterFaultMs: 10 * 60_000 }

/**
 * Deletes what is old or no longer shown, every hour while the platform runs, and beside it the blobs of what was removed, so
 * that neither a request nor the work of an organization waits for the blob store. Returns a stop function, which resolves
 * after the work in progress.
 */
export function startCleanup(services: SweepServices) {
  const hourly = repeat({
    firstMs: firstAfterMs,
    everyMs,
    works: [
      {
        run: untilNone(() => deleteOldNotifications(services)),
        fault: 'Old notifications could not be deleted',
      },
      {
        run: untilNone(() => deleteOldDeliveries(services)),
        fault: 'Old deliveries of webhooks could not be deleted',
      },
      { run: untilNone(() => deleteOldMail(services)), fault: 'Old email could not be deleted' },
      { run: () => deleteUnusedFiles(services), fault: 'Unused images and pinned figures could not be deleted' },
      { run: untilNone(() => deleteOldActions(services)), fault: 'Old bulk actions could not be deleted' },
      { run: untilNone(() => deleteOldImports(services)), fault: 'Old imports could not be deleted' },
      { run: () => deleteOldPresence(services), fault: 'Old presence could not be deleted' },
      {
        run: (stopping) => sweepRetention(services, { isStopping: () => stopping.aborted }),
        fault: 'Data beyond its retention could not be deleted',
      },
    ],
  })
  const deleting = {
    run: (stopping: AbortSignal) => deleteRemovedBlobs(services, () => stopping.aborted),
    fault: 'The blobs of removed data could not be deleted',
  }
  const ofBlobs = repeat({ ...pausesOfBlobs, works: [deleting] })
  return async () => {
    await Promise.all([hourly.stop(), ofBlobs.stop()])
  }
}

/** `work` resolves to whether there may be more. */
const untilNone = (work: () => Promise<boolean>) => async (stopping: AbortSignal) => {
  while (!stopping.aborted && (await work()));
}
