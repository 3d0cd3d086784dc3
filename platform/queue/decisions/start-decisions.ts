import type { Services } from '#platform/ground/context/context.ts'
import { repeat } from '#platform/ground/loops/repeat.ts'
import { type Seen, settleDecisions } from './settle-decisions.ts'

const everyMs = 2000

/**
 * Stops requests when their question is decided, while the platform runs; any number of servers may. Returns a stop
 * function, which resolves after the current pass.
 */
export function startDecisions(services: Services) {
  const seen: Seen = new Map()
  return repeat({
    everyMs,
    works: [
      { run: () => settleDecisions(services, seen), fault: 'Requests that run until decided could not be judged' },
    ],
  }).stop
}
