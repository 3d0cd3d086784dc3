import type { Services } from '#platform/context/context.ts'
import { deleteOldNotifications } from './delete-old-notifications.ts'

const everyMs = 60 * 60_000

/** The first pass is delayed, because it is not urgent and the start has more important work. */
const firstAfterMs = 60_000

/**
 * Deletes old notifications every hour while the platform runs. Returns a stop function, which resolves after the
 * current pass.
 */
export function startCleanup(services: Pick<Services, 'db'>) {
  const stopping = new AbortController()
  let working = Promise.resolve()
  const forget = async () => {
    try {
      while (!stopping.signal.aborted && (await deleteOldNotifications(services)));
    } catch (error) {
      console.error('Old notifications could not be deleted. The next attempt is in an hour:', error)
    }
  }
  const start = () => void (working = working.then(forget))
  const first = setTimeout(start, firstAfterMs).unref()
  const timer = setInterval(start, everyMs).unref()
  return () => {
    stopping.abort()
    clearTimeout(first)
    clearInterval(timer)
    return working
  }
}
