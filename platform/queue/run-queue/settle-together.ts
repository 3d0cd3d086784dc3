import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'

import type { Services } from '#platform/ground/context/context.ts'
import { isBusy, readOutage } from '#platform/ground/failures/outage.ts'
import { hasManyTests } from './record-tests-in-parts.ts'
import { type EndedRun, settleRun, settleRuns } from './settle-run.ts'

/**
 * Runs that end within this time go together, which is short beside any run. Without other runs that may end, nothing
 * waits.
 */
const gatherMs = 20

/** More would make cancels and other writes of these runs wait. */
const maxTogether = 64

/** Whether no run at all can be written. */
const isDown = (error: unknown) => readOutage(error) !== null && !isBusy(error)

type Waiting = EndedRun & { resolve: (isSettled: boolean) => void; reject: (error: unknown) => void }

/**
 * Settles runs as `settleRuns` does: those that end within a moment, or while others are written, share a transaction,
 * because it costs more than a run's part of it. A run with very many tests keeps no other one waiting. `mayMoreEnd` says whether the worker still executes runs besides those
 * that it settles.
 */
export function settleTogether(services: Pick<Services, 'db' | 'blobs'>, mayMoreEnd: () => boolean = () => true) {
  let waiting: Waiting[] = []
  let isWriting = false
  let stopGathering = () => {}

  const isComplete = () => waiting.length >= maxTogether || !mayMoreEnd()
  const gather = async () => {
    // Lets the runs that end in this very moment be counted.
    await nextTurn()
    if (isComplete()) return
    const enough = new AbortController()
    stopGathering = () => {
      if (isComplete()) enough.abort()
    }
    await delay(gatherMs, undefined, { signal: enough.signal }).catch(() => {})
    stopGathering = () => {}
  }

  const write = async (together: readonly Waiting[]): Promise<void> => {
    try {
      const settled = await settleRuns(services, together)
      for (const [index, { resolve }] of together.entries()) resolve(settled[index] ?? false)
    } catch (error) {
      // One run that cannot be written, or whose row is locked, must not keep the others from it.
      if (!isDown(error) && together.length > 1) for (const each of together) await write([each])
      else for (const { reject } of together) reject(error)
    }
  }
  const writeAll = async () => {
    if (isWriting) return
    isWriting = true
    while (waiting.length > 0) {
      await gather()
      const together = waiting.slice(0, maxTogether)
      waiting = waiting.slice(maxTogether)
      await write(together)
    }
    isWriting = false
  }

  const writeSoon = (ended: EndedRun) =>
    new Promise<boolean>((resolve, reject) => {
      waiting.push({ ...ended, resolve, reject })
      stopGathering()
      void writeAll()
    })

  return (run: EndedRun['run'], ending: EndedRun['ending']): Promise<boolean> =>
    hasManyTests(services.db, ending) ? settleRun(services, run, ending) : writeSoon({ run, ending })
}
