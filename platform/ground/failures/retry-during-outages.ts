import { setTimeout as delay } from 'node:timers/promises'

import { readOutage } from './outage.ts'

const firstPauseMs = 200
const maxPauseMs = 3000

/**
 * Retries `work` with growing pauses while the database or the disk is unavailable, so that a computed result is not
 * lost. Throws other errors at once, and the outage itself as soon as `signal` aborts. A statement whose answer was
 * lost may have run, so `work` must be safe to repeat.
 */
export async function retryDuringOutages<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted || readOutage(error) === null) throw error
    }
    await delay(pauseMs, undefined, { signal }).catch(() => {})
  }
}
