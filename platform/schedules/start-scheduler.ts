import type { Services } from '#platform/context/context.ts'
import { finishStarts } from './finish-starts.ts'
import { startDueSchedules } from './start-due.ts'

const everyMs = 5000

/**
 * Starts and closes schedules while the platform runs; any number of servers may. Returns a stop function, which
 * resolves after the current pass.
 */
export function startScheduler(services: Services) {
  let working: Promise<void> | null = null
  const attempt = async (what: string, work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      console.error(`${what}. The next attempt is in ${everyMs / 1000} s:`, error)
    }
  }
  const pass = async () => {
    // Closed first: a schedule does not start before its last start has finished.
    await attempt('Starts of schedules could not be closed', () => finishStarts(services))
    await attempt('Schedules could not be started', () => startDueSchedules(services))
    working = null
  }
  const timer = setInterval(() => void (working ??= pass()), everyMs).unref()
  return async () => {
    clearInterval(timer)
    await working
  }
}
