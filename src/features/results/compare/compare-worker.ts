import type { CompareWork } from './compare-in-worker.ts'
import { comparePair } from './compare-pairs.ts'

/** Two thousand draws a pair would keep the page from answering. */
self.addEventListener('message', ({ data: { runs, pairs, question } }: MessageEvent<CompareWork>) => {
  const comparisons = pairs.map((names) => comparePair(runs, names, question))
  self.postMessage(comparisons, { transfer: [] })
})
