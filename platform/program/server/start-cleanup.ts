import { deleteOldActions } from '#platform/results/bulk-actions/start-worker.ts'
import { deleteOldImports } from '#platform/program/imports/discard-import.ts'
import { deleteOldMail } from '#platform/people/mail/delete-old-mail.ts'
import { deleteOldNotifications } from '#platform/people/notifications/delete-old-notifications.ts'
import { deleteOldPresence } from '#platform/results/report-presence/delete-old-presence.ts'
import { deleteOldDeliveries } from '#platform/people/webhooks/delete-old-deliveries.ts'
import { type SweepServices, sweepRetention } from '#platform/results/retention/sweep-retention.ts'
import { deleteUnusedFiles } from '#platform/results/reports/delete-files.ts'

const everyMs = 60 * 60_000

/** The first pass is delayed, because it is not urgent and the start has more important work. */
const firstAfterMs = 60_000

/**
 * Deletes old notifications, deliveries of webhooks, email, images and pinned figures that no report shows, old bulk actions, files of old imports, and old presence, every hour while the
 * platform runs. Returns a stop function, which resolves after the current pass.
 */
export function startCleanup(services: SweepServices) {
  const stopping = new AbortController()
  let working = Promise.resolve()
  const attempt = async (what: string, work: () => Promise<void>) => {
    try {
      if (!stopping.signal.aborted) await work()
    } catch (error) {
      console.error(`${what} could not be deleted. The next attempt is in an hour:`, error)
    }
  }
  const clean = async () => {
    await attempt('Old notifications', async () => {
      while (!stopping.signal.aborted && (await deleteOldNotifications(services)));
    })
    await attempt('Old deliveries of webhooks', async () => {
      while (!stopping.signal.aborted && (await deleteOldDeliveries(services)));
    })
    await attempt('Old email', async () => {
      while (!stopping.signal.aborted && (await deleteOldMail(services)));
    })
    await attempt('Unused images and pinned figures', () => deleteUnusedFiles(services))
    await attempt('Old bulk actions', async () => {
      while (!stopping.signal.aborted && (await deleteOldActions(services)));
    })
    await attempt('Old imports', async () => {
      while (!stopping.signal.aborted && (await deleteOldImports(services)));
    })
    await attempt('Old presence', () => deleteOldPresence(services))
    await attempt('Data beyond its retention', () =>
      sweepRetention(services, { isStopping: () => stopping.signal.aborted }),
    )
  }
  const start = () => void (working = working.then(clean))
  const first = setTimeout(start, firstAfterMs).unref()
  const timer = setInterval(start, everyMs).unref()
  return () => {
    stopping.abort()
    clearTimeout(first)
    clearInterval(timer)
    return working
  }
}
