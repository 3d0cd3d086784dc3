import type { Services } from '#platform/context/context.ts'
import { finishStarts } from './finish-starts.ts'
import { startDueSchedules } from './start-due.ts'

const everyMs = 5000

/**
 * Starts and closes schedules while the platform runs; any number of servers may. Returns a stop function, which
 * resolves after the current pass.
 */
export function startScheduler(services: Services) {
  let isStopping = false
  let working = Promise.resolve()
  const pass = async () => {
    if (isStopping) return
    try {
      // Closed first: a schedule does not start before its last start has finished.
      await finishStarts(services)
      await startDueSchedules(services)
    } catch (error) {
      console.error(`Schedules could not be started. The next attempt is in ${everyMs / 1000} s:`, error)
    }
  }
  const timer = setInterval(() => void (working = working.then(pass)), everyMs).unref()
  return () => {
    isStopping = true
    clearInterval(timer)
    return working
  }
}
