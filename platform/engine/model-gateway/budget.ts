export type Budget = ReturnType<typeof createBudget>

/**
 * A limit on the cost of calls in US dollars. Calls run side by side while their likely costs fit; a call is expected to
 * cost at least as much as the most expensive one so far. Near the limit calls wait for each other, so only the last one
 * exceeds it, however many arrive at once. `readShared` returns what all workers have recorded, for a budget that
 * several of them share.
 */
export function createBudget(maxUsd: number, readShared?: (signal: AbortSignal) => Promise<number>) {
  let spent = 0
  let reserved = 0
  let inFlight = 0
  let mostExpensive: number | null = null
  let waiting: (() => void)[] = []

  const isLeft = async (signal: AbortSignal) => {
    if (readShared) spent = Math.max(spent, await readShared(signal))
    return spent < maxUsd
  }
  const mayStart = (likely: number) => inFlight === 0 || (mostExpensive !== null && spent + reserved + likely <= maxUsd)
  const untilOneEnds = (signal: AbortSignal) =>
    new Promise<void>((done) => {
      const wake = () => {
        signal.removeEventListener('abort', wake)
        done()
      }
      waiting.push(wake)
      signal.addEventListener('abort', wake)
    })
  return {
    maxUsd,
    spent: () => spent,
    isLeft,
    /**
     * Returns how an admitted call ends, with its cost. Null if the budget is used up, or if the signal aborts while the
     * call waits.
     */
    async admit(estimate: number, signal: AbortSignal): Promise<((cost: number) => void) | null> {
      while (await isLeft(signal)) {
        if (signal.aborted) return null
        const likely = Math.max(estimate, mostExpensive ?? 0)
        if (mayStart(likely)) {
          inFlight += 1
          reserved += likely
          return (cost) => settle(likely, cost)
        }
        await untilOneEnds(signal)
      }
      return null
    },
  }

  function settle(likely: number, cost: number) {
    spent += cost
    mostExpensive = Math.max(cost, mostExpensive ?? 0)
    inFlight -= 1
    reserved -= likely
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  }
}
