import type { Query } from '@tanstack/react-query'
import { useState } from 'react'

import type { Experiment } from '#contract/experiments.ts'

const liveRefreshMs = 10_000

/** A response that was on its way when the last run ended may lack that run. */
const graceMs = 1000

/** Whether results include every run, and a `refetchInterval` that asks until they do. */
export type LiveResults = {
  refetchInterval: <Data>(query: Pick<Query<Data, Error, Data, readonly unknown[]>, 'state'>) => number | false
  /** `updatedAt` is when the results arrived. */
  isComplete: (results: { pendingRuns: number }, updatedAt: number) => boolean
}

/**
 * Follows the results of an experiment while it has unfinished runs, once more after the last one ended, and whenever an import
 * added runs; `seenAt` is when the counts arrived.
 */
export function useLiveResults(
  { unfinishedRunCount, runCount }: Pick<Experiment, 'unfinishedRunCount' | 'runCount'>,
  seenAt: number,
): LiveResults {
  const isLive = unfinishedRunCount > 0
  const [known, setKnown] = useState({ runCount, completeFrom: isLive ? Infinity : 0 })
  const { completeFrom } = known
  if (isLive !== (completeFrom === Infinity) || (!isLive && runCount !== known.runCount))
    setKnown({ runCount, completeFrom: isLive ? Infinity : seenAt + graceMs })
  return followResults(isLive, completeFrom)
}

/** Results are complete if they arrived at `completeFrom` or later. */
export function followResults(isLive: boolean, completeFrom: number): LiveResults {
  return {
    refetchInterval({ state }) {
      if (state.dataUpdatedAt >= completeFrom) return false
      return isLive ? liveRefreshMs : graceMs
    },
    isComplete: ({ pendingRuns }, updatedAt) => pendingRuns === 0 && updatedAt >= completeFrom,
  }
}
