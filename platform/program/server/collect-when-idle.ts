import { performance } from 'node:perf_hooks'

import { collectGarbage } from '#platform/ground/processes/collect-garbage.ts'

const everyMs = 15_000
const idleShare = 0.1
const worthBytes = 32 * 1024 * 1024

type Heap = {
  /** The bytes that the heap has from the operating system. */
  total: () => number
  /** The share of the time since the last call in which this thread was busy. */
  busyShare: () => number
  collect: () => void
}

/**
 * After a busy time the heap keeps what it needed then, mostly garbage, because V8 collects only when it needs more. Making
 * the demo leaves more than 100 MB. So this collects when the heap has grown and nobody is waiting.
 */
export function collectorOf({ total, busyShare, collect }: Heap) {
  let least = 0
  return () => {
    const isIdle = busyShare() < idleShare
    if (!isIdle || total() - least < worthBytes) return
    collect()
    least = total()
  }
}

/** Collects the garbage of this process while it is idle, until it ends. */
export function collectWhenIdle() {
  let before = performance.eventLoopUtilization()
  const busyShare = () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    return utilization
  }
  const check = collectorOf({ total: () => process.memoryUsage().heapTotal, busyShare, collect: collectGarbage })
  setInterval(check, everyMs).unref()
}
