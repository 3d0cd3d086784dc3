import { exhausted } from '#platform/failure.ts'

export type LaneOptions = { atOnce: number; maxWaiting: number; patienceSeconds: number }

/** Lets a few pieces of work in at once and a few more wait, each for a bounded time; further ones are refused. */
export function boundedLane({ atOnce, maxWaiting, patienceSeconds }: LaneOptions) {
  let going = 0
  const waiting: (() => void)[] = []
  const refusal = () => exhausted('Too many queries of your organization are running; try again in a moment')

  function waitForTurn() {
    if (going < atOnce) {
      going += 1
      return Promise.resolve()
    }
    if (waiting.length >= maxWaiting) return Promise.reject(refusal())
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const enter = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(enter), 1)
      reject(refusal())
    }, patienceSeconds * 1000)
    waiting.push(enter)
    return promise
  }

  /** Whoever waits next takes over the place, so `going` stays. */
  function leave() {
    const next = waiting.shift()
    if (next) next()
    else going -= 1
  }

  return async function enter<T>(work: () => Promise<T>): Promise<T> {
    await waitForTurn()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
