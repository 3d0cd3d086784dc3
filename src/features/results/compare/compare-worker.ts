import type { CompareWork } from './compare-in-worker.ts'
import { comparePairs } from './compare-pairs.ts'

/** In a worker, because the pairs of sixty groups would block the page. */
self.addEventListener('message', ({ data: { runs, pairs, question } }: MessageEvent<CompareWork>) => {
  self.postMessage(comparePairs(runs, pairs, question), { transfer: [] })
})
