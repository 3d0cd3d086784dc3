import type { Services } from '#platform/ground/context/context.ts'
import { repeat } from '#platform/ground/loops/repeat.ts'
import { finishStarts } from './finish-starts.ts'
import { runSuspectedAgain } from './run-again.ts'
import { startDueSchedules } from './start-due.ts'

const everyMs = 5000

/**
 * Starts and closes schedules while the platform runs; any number of servers may. Returns a stop function, which
 * resolves after the current pass.
 */
export const startScheduler = (services: Services) =>
  repeat({
    everyMs,
    works: [
      // Closed first: a schedule does not start before its last start has finished.
      { run: () => finishStarts(services), fault: 'Starts of schedules could not be closed' },
      // Before new starts, so that a suspicion is settled first.
      { run: () => runSuspectedAgain(services), fault: 'Suspected drops could not be run again' },
      { run: () => startDueSchedules(services), fault: 'Schedules could not be started' },
    ],
  }).stop
