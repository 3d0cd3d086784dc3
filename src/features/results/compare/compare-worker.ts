import type { CompareWork } from './compare-in-worker.ts'
import { comparePair } from './compare-pairs.ts'

/** In a worker, because two thousand draws per pair would block the page. */
self.addEventListener('message', ({ data: { runs, pairs, question } }: MessageEvent<CompareWork>) => {
  const comparisons = pairs.map((names) => comparePair(runs, names, question))
  self.postMessage(comparisons, { transfer: [] })
})
