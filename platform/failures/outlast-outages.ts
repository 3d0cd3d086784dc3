import { setTimeout as delay } from 'node:timers/promises'

import { readOutage } from './outage.ts'

const firstPauseMs = 200
const maxPauseMs = 3000

/**
 * Does `work` again, with growing pauses, for as long as the database or the disk refuses it: whoever has a result in hand
 * keeps it until it can be saved. Other errors are thrown at once, and the outage itself as soon as `signal` aborts.
 * A statement whose answer was lost may have been carried out, so `work` must bear being done twice.
 */
export async function outlastOutages<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted || readOutage(error) === null) throw error
    }
    await delay(pauseMs, undefined, { signal }).catch(() => {})
  }
}
