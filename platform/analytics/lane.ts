import { exhausted } from '#platform/failures/failure.ts'
import type { Turn } from '#platform/context/analytics.ts'

type Queue = { maxWaiting: number; patienceSeconds: number }
export type LaneOptions = { atOnce: number; own: Queue; published: Queue & { dueSeconds: number } }

/** `hasYielded`: a publication ran before this query. */
type Place = { since: number; hasYielded: boolean; begin: () => void }

/**
 * Runs a few queries at once and lets more wait, each for a limited time; further ones are refused. Publications run
 * one at a time and after users' own queries. A publication that has waited `dueSeconds` runs before users who have not
 * yielded to one yet. So no user waits for two publications, and users cannot block publications forever.
 */
export function boundedLane({ atOnce, own, published }: LaneOptions) {
  const limits = { own, published }
  const waiting: Record<Turn, Place[]> = { own: [], published: [] }
  const going = { own: 0, published: 0 }
  const refusal = () => exhausted('Too many queries of your organization are running. Try again in a moment')

  function chooseNext(): Turn | null {
    if (going.own + going.published >= atOnce) return null
    const [first] = waiting.published
    if (first && going.published === 0) {
      const isDue = Date.now() - first.since >= published.dueSeconds * 1000
      const [user] = waiting.own
      if (!user || (isDue && !user.hasYielded)) return 'published'
    }
    return waiting.own.length > 0 ? 'own' : null
  }

  function admit() {
    for (let turn = chooseNext(); turn; turn = chooseNext()) {
      going[turn] += 1
      waiting[turn].shift()?.begin()
      if (turn === 'published') for (const user of waiting.own) user.hasYielded = true
    }
  }

  function waitFor(turn: Turn): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const queue = waiting[turn]
    const giveUp = () => {
      clearTimeout(timer)
      queue.splice(queue.indexOf(place), 1)
      reject(refusal())
    }
    const timer = setTimeout(giveUp, limits[turn].patienceSeconds * 1000)
    const place: Place = {
      since: Date.now(),
      hasYielded: going.published > 0,
      begin() {
        clearTimeout(timer)
        resolve()
      },
    }
    queue.push(place)
    admit()
    if (queue.length > limits[turn].maxWaiting) giveUp()
    return promise
  }

  return async function enter<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    await waitFor(turn)
    try {
      return await work()
    } finally {
      going[turn] -= 1
      admit()
    }
  }
}
