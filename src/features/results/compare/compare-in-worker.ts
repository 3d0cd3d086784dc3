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
  comparisonOptions(compared, ['one', question, names], async (signal) => {
    const [comparison] = await compareInWorker({ runs: compared.runs, pairs: [names], question }, signal)
    if (!comparison) throw new Error('The worker compared no pair')
    return comparison
  })

/** Compares every pair, with p-values that account for the number of groups. */
export const allPairsOptions = (compared: ComparedRuns, question: Question, pairs: readonly PairNames[]) =>
  comparisonOptions(compared, ['all', question, pairs], async (signal) =>
    correctPairs(pairs, await compareInWorker({ runs: compared.runs, pairs, question }, signal), question.measure),
  )

/**
 * There is no `select`: while a placeholder is shown, a `select` that is new in each render makes a new result in each
 * render, and React gives up after fifty (error 185).
 */
function comparisonOptions<Answer>(
  { experimentId, parameters, updatedAt }: ComparedRuns,
  asked: readonly unknown[],
  answer: (signal: AbortSignal) => Promise<Answer>,
) {
  const key: QueryKey = ['comparisons', experimentId, parameters, ...asked]
  return queryOptions<Answer>({
    queryKey: [...key, updatedAt],
    queryFn: ({ signal }) => answer(signal),
    meta: { isCalculated: true },
    staleTime: Infinity,
    structuralSharing: false,
    // Keeps the previous result while newer runs are compared, but never the result of another comparison.
    placeholderData: (previous, query) =>
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
