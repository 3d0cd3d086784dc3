import { type QueryKey, hashKey, queryOptions } from '@tanstack/react-query'

import type { ChartRun } from '#contract/chart-runs.ts'
import type { ChartParameters } from '#contract/charts.ts'
import type { Comparison } from '#statistics/compare-groups.ts'
import { type PairNames, type Question, correctPairs } from './compare-pairs.ts'

export type CompareWork = { runs: readonly ChartRun[]; pairs: readonly PairNames[]; question: Question }

/** The runs of a chart query, and when it was loaded. */
export type ComparedRuns = {
  experimentId: string
  parameters: ChartParameters
  runs: readonly ChartRun[]
  updatedAt: number
}

/** Compares one pair of groups in detail. */
export const pairOptions = (compared: ComparedRuns, question: Question, names: PairNames) =>
  comparisonOptions(compared, question, [names], ([comparison]) => comparison)

/** Compares every pair. */
export const allPairsOptions = (compared: ComparedRuns, question: Question, pairs: readonly PairNames[]) =>
  comparisonOptions(compared, question, pairs, (comparisons) => correctPairs(pairs, comparisons))

function comparisonOptions<Answer>(
  { experimentId, parameters, runs, updatedAt }: ComparedRuns,
  question: Question,
  pairs: readonly PairNames[],
  select: (comparisons: Comparison[]) => Answer,
) {
  const key: QueryKey = ['comparisons', experimentId, parameters, question, pairs]
  return queryOptions({
    queryKey: [...key, updatedAt],
    queryFn: ({ signal }) => compareInWorker({ runs, pairs, question }, signal),
    select,
    meta: { isCalculated: true },
    staleTime: Infinity,
    structuralSharing: false,
    // Keeps the previous result while newer runs are compared, but never the result of another comparison.
    placeholderData: (previous: Comparison[] | undefined, query) =>
      query && hashKey(query.queryKey.slice(0, -1)) === hashKey(key) ? previous : undefined,
  })
}

/** Compares pairs in a worker, which ends with the result or when the query is canceled. */
function compareInWorker(work: CompareWork, signal: AbortSignal) {
  const worker = new Worker(new URL('./compare-worker.ts', import.meta.url), { type: 'module' })
  signal.addEventListener('abort', () => worker.terminate())
  const result = new Promise<Comparison[]>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<Comparison[]>) => resolve(data))
    worker.addEventListener('error', ({ message }) => reject(new Error(message || 'The comparison did not start')))
  })
  worker.postMessage(work, [])
  return result.finally(() => worker.terminate())
}
